/**
 * Secrets out of text, before it becomes permanent in a summary.
 *
 * One expression finds anchors (`ghp_`, `Bearer `, `password` …) in a single pass; only there the rules look closer, with
 * sticky expressions. That keeps clean text cheap, and time linear: a rule that fails has read a bounded piece, a rule that
 * succeeds moves the scan behind what it read.
 */

import { NAMES, nameRule } from './assignments.ts';
import { authorizationRule, basicRule, bearerRule, cookieRule } from './headers.ts';
import { encodedPemRule, jwtRule, pemRule, puttyRule } from './keys.ts';
import { clientLoginRule, netrcRule, registryRule, urlRule } from './logins.ts';
import { cardRule, ibanRule } from './personal.ts';
import { type Rule, type Scanner, scanAll, scannerOf } from './scan.ts';
import { TOKENS, tokenRule } from './tokens.ts';

/** A text without its secrets. */
export interface Redaction {
  /** The text with a mark in place of each secret. */
  readonly text: string;
  /** What was replaced, in the order of first appearance. */
  readonly found: readonly RedactionCount[];
}

export interface RedactionCount {
  readonly kind: string;
  readonly count: number;
}

export interface RedactOptions {
  /**
   * Also payment cards and IBANs.
   * @default false: personal data is often what a conversation is about, and is no secret between its parties
   */
  readonly personal?: boolean;
}

/** Replaces secrets by `[redacted: KIND]`; key names, user names and hosts around them stay. Idempotent. */
export function redact(text: string, options: RedactOptions = {}): Redaction {
  const scanner = options.personal === true ? PERSONAL_SCANNER : SCANNER;
  const counts = new Map<string, number>();
  const redacted = scanAll(text, scanner, (kind) => {
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    return `[redacted: ${kind}]`;
  });
  return { text: redacted, found: Array.from(counts, ([kind, count]) => ({ kind, count })) };
}

/** The text with a mark in place of each secret. */
export function redactText(text: string, options: RedactOptions = {}): string {
  return redact(text, options).text;
}

// All rules, the surest first where several share an anchor

export const SECRET_RULES: readonly Rule[] = [
  pemRule,
  puttyRule,
  encodedPemRule,
  ...TOKENS.map(tokenRule),
  jwtRule,
  bearerRule,
  basicRule,
  authorizationRule,
  cookieRule,
  urlRule,
  clientLoginRule,
  netrcRule,
  ...NAMES.map(nameRule),
  registryRule,
];

/** Numbers that belong to a person rather than open a door. */
export const PERSONAL_RULES: readonly Rule[] = [cardRule, ibanRule];

const SCANNER: Scanner = scannerOf(SECRET_RULES);
const PERSONAL_SCANNER: Scanner = scannerOf([...SECRET_RULES, ...PERSONAL_RULES]);
