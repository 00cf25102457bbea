/** Part of the text to be replaced. */
export interface Span {
  readonly kind: string;
  readonly start: number;
  readonly end: number;
}

export interface Place {
  readonly text: string;
  /** Where the anchor starts and ends. */
  readonly at: number;
  readonly after: number;
  /** End of the last replacement: nothing before it may be touched again. */
  readonly floor: number;
  /** Findings about the rest of the text, so that it is not searched twice. */
  readonly memory: Memory;
}

interface Memory {
  /** The next `-----END ` of a text that has many `-----BEGIN `, infinite when there is none. */
  nextPemEnd: number;
}

export interface Rule {
  readonly anchors: readonly string[];
  /** In ascending order, not overlapping, none before `place.floor`; empty when there is nothing. */
  find(place: Place): readonly Span[];
}

export interface Scanner {
  readonly anchors: RegExp;
  readonly rules: ReadonlyMap<string, readonly Rule[]>;
}

export const NOTHING: readonly Span[] = [];

/** Gives the text in place of a span of this kind. It must hold nothing that a rule finds. */
export type Replace = (kind: string, value: string) => string;

/** Scans until nothing changes: a replacement can expose a neighbour that was hidden, by a letter in front of it for example. */
export function scanAll(text: string, scanner: Scanner, replace: Replace): string {
  let current = text;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const next = scan(current, scanner, replace);
    if (next === current) break;
    current = next;
  }
  return current;
}

/** Two were enough for every text seen; the bound is there because an adversary may chain neighbours. */
const MAX_ROUNDS = 8;

/** Gives each anchor its own rules and those of every anchor that it starts with, since a longer anchor hides a shorter one. */
export function scannerOf(all: readonly Rule[]): Scanner {
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

function scan(text: string, scanner: Scanner, replace: Replace): string {
  const { anchors, rules } = scanner;
  const memory: Memory = { nextPemEnd: -1 };
  const parts: string[] = [];
  let floor = 0;
  anchors.lastIndex = 0;
  for (let hit = anchors.exec(text); hit !== null; hit = anchors.exec(text)) {
    const [anchor] = hit;
    const place: Place = { text, at: hit.index, after: hit.index + anchor.length, floor, memory };
    const spans = firstSpans(rules.get(anchor) ?? [], place);
    for (const { kind, start, end } of spans) {
      parts.push(text.slice(floor, start), replace(kind, text.slice(start, end)));
      floor = end;
    }
    anchors.lastIndex = spans.length > 0 ? Math.max(floor, hit.index + 1) : hit.index + 1;
  }
  if (parts.length === 0) return text;
  parts.push(text.slice(floor));
  return parts.join('');
}

function firstSpans(rules: readonly Rule[], place: Place): readonly Span[] {
  for (const rule of rules) {
    const spans = rule.find(place);
    if (spans.length > 0) return spans;
  }
  return NOTHING;
}

// Reading at a place

/** Index behind the match of a sticky expression that starts at `at`, or -1. */
export function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : -1;
}

export function isLetterOrDigit(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
}

const ESCAPE_BEFORE = /(?:\\[nrtbf]|\\u00[0-9a-fA-F]{2}|\\x[0-9a-fA-F]{2}|%[0-9a-fA-F]{2}|\[[0-9;]{0,12}m)$/;

/**
 * True when a token may start here: no letter or digit comes before it, unless that ends an escape. Agent logs hold JSON in
 * JSON (`\n`), terminal output (colours) and URLs (`%3D`).
 */
export function startsToken({ text, at, floor }: Place): boolean {
  if (at === 0 || at === floor || !isLetterOrDigit(text.charCodeAt(at - 1))) return true;
  return ESCAPE_BEFORE.test(text.slice(Math.max(0, at - 16), at));
}

/** At most `length` characters before the anchor, none of them from before the end of the last replacement. */
export function before({ text, at, floor }: Place, length: number): string {
  return text.slice(Math.max(floor, at - length), at);
}

// Secrets and stand-ins for them

const STAND_IN_WORD =
  /(?:^|[^A-Za-z0-9])(?:your|some|the|this|insert|enter|replace|change|dummy|fake|sample|redacted|removed|hidden|masked|todo)(?:[^A-Za-z0-9]|$)|^my[_-](?:secret|pass|api|token|key|super|app)|example|placeholder|change_?me|redacted/i;
const STAND_IN_SHAPE = /x{5,}|X{5,}|\*{3,}|\.{3}|…|•{2,}|#{4,}|^[<[{]|\$\{|\$\(|\{\{|^\$[A-Za-z_]|^%[A-Za-z_]+%$/;
/** Fewer different characters than this are `0000…` or `abababab…`, not a generated value. */
const FEW_CHARACTERS = 6;

export function isStandIn(value: string): boolean {
  return STAND_IN_SHAPE.test(value) || STAND_IN_WORD.test(value);
}

export function isRepetitive(value: string): boolean {
  return new Set(value.slice(0, CHECKED_LENGTH)).size < FEW_CHARACTERS;
}

/** Only the first characters of a value are judged: enough to tell, and a bound for values that fail. */
export const CHECKED_LENGTH = 256;

/** Bits per character. */
export function entropyOf(value: string): number {
  const counts = new Map<string, number>();
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length);
  return bits;
}

/** Defaults from images and tutorials: everybody knows them, and a reader wants to see that they are used. */
export const DEFAULT_PASSWORD: RegExp =
  /^(?:pass|passwd|password|passwort|pwd|secret|postgres|mysql|root|guest|admin|test|testing|user|dev|local|token|changeme|change-me|changeit|none|null|undefined|string|true|false|x-oauth-basic)\d{0,3}$/i;
