import { redact } from '../core/redact/redact.ts';
import type { RuleCount, Scrubber } from './scrub-text.ts';
import { eachText } from './scrub-value.ts';

/**
 * Looks at a result as a stranger would: every rule over every text of the file, the rules for secrets over the file as it is written, and every
 * original that was replaced anywhere.
 */
export function auditText(text: string, scrubber: Scrubber): readonly RuleCount[] {
  const left = new Map<string, number>();
  const add = ({ rule, count }: RuleCount): void => void left.set(rule, (left.get(rule) ?? 0) + count);
  const value: unknown = JSON.parse(text);
  eachText(value, (each) => scrubber.leftIn(each).forEach(add));
  for (const { kind, count } of redact(text).found) add({ rule: kind, count });
  return Array.from(left, ([rule, count]) => ({ rule, count })).sort((first, second) =>
    first.rule < second.rule ? -1 : 1,
  );
}
