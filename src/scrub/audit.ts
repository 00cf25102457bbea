import { redact } from '../core/redact/redact.ts';
import { createRuleCounter, type RuleCount } from './rule-counts.ts';
import type { Scrubber } from './scrub-text.ts';
import { eachText } from './scrub-value.ts';

/**
 * Checks the text of a finished file, independently of how it was made. It applies every rule to each text in the file and looks there for every
 * original that was replaced; then it applies the rules for secrets to the raw file.
 */
export function auditText(text: string, scrubber: Scrubber): readonly RuleCount[] {
  const left = createRuleCounter();
  const value: unknown = JSON.parse(text);
  eachText(value, (each) => scrubber.leftIn(each).forEach(({ rule, count }) => left.add(rule, count)));
  for (const { kind, count } of redact(text).found) left.add(kind, count);
  return left.rows();
}
