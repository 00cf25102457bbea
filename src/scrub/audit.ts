import { redact } from '../core/redact/redact.ts';
import { createRuleCounter, type RuleCount } from './rule-counts.ts';
import type { Scrubber } from './scrub-text.ts';
import { eachText } from './scrub-value.ts';

/**
 * Checks a result from outside: every rule over every text of the file, the rules for secrets over the file as written, and every original that was
 * replaced anywhere.
 */
export function auditText(text: string, scrubber: Scrubber): readonly RuleCount[] {
  const left = createRuleCounter();
  const value: unknown = JSON.parse(text);
  eachText(value, (each) => scrubber.leftIn(each).forEach(({ rule, count }) => left.add(rule, count)));
  for (const { kind, count } of redact(text).found) left.add(kind, count);
  return left.rows();
}
