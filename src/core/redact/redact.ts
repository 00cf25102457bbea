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
import { type Rule, type Scanner, scan } from './scan.ts';
import { TOKENS, tokenRule } from './tokens.ts';

export interface Redaction {
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
  let current = text;
  // A replacement can free its neighbour from what hid it (a letter in front, say), so a text with hits is read again.
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const next = scan(current, scanner, counts);
    if (next === current) break;
    current = next;
  }
  return { text: current, found: Array.from(counts, ([kind, count]) => ({ kind, count })) };
}

export function redactText(text: string, options: RedactOptions = {}): string {
  return redact(text, options).text;
}

/** Two are enough for everything seen; the bound is there because an adversary may chain neighbours. */
const MAX_ROUNDS = 8;

// All rules, the surest first where several share an anchor

const SECRET_RULES: readonly Rule[] = [
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

const SCANNER: Scanner = scannerOf(SECRET_RULES);
const PERSONAL_SCANNER: Scanner = scannerOf([...SECRET_RULES, cardRule, ibanRule]);

/** An anchor leads to its own rules and to those of every anchor that it starts with: longer ones hide shorter ones. */
function scannerOf(all: readonly Rule[]): Scanner {
  const anchors = [...new Set(all.flatMap((rule) => rule.anchors))].sort((left, right) => right.length - left.length);
  const rules = new Map<string, readonly Rule[]>();
  for (const anchor of anchors) {
    const own = all.filter((rule) => rule.anchors.includes(anchor));
    const shorter = all.filter((rule) => !own.includes(rule) && rule.anchors.some((other) => anchor.startsWith(other)));
    rules.set(anchor, [...own, ...shorter.map((rule) => atShorterAnchor(rule, anchor))]);
  }
  const escaped = anchors.map((anchor) => anchor.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&'));
  return { anchors: new RegExp(escaped.join('|'), 'g'), rules };
}

function atShorterAnchor(rule: Rule, anchor: string): Rule {
  const length = Math.max(...rule.anchors.filter((other) => anchor.startsWith(other)).map((other) => other.length));
  return { anchors: [], find: (place) => rule.find({ ...place, after: place.at + length }) };
}
