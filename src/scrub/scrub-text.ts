import { PERSONAL_RULES, SECRET_RULES } from '../core/redact/redact.ts';
import { type Rule, type Scanner, scanAll, scannerOf } from '../core/redact/scan.ts';
import { emailRule } from './names/email.ts';
import { createKnownNames } from './names/known-names.ts';
import { nameRuleOf } from './names/name-rule.ts';
import { createNames, keyOf, type NameLabel, type Names } from './names/names.ts';
import { createRuleCounter, type RuleCount } from './rule-counts.ts';
import { NAME_SHAPES, PERSONAL_KINDS } from './rules.ts';
import { createTextMemory } from './text-memory.ts';
import { type NameList, NO_NAMES, type UserRule, userRuleOf } from './user/user-rules.ts';

export interface ScrubberOptions {
  /** Names to replace and names to keep, from the user. @default none */
  readonly names?: NameList;
  /** Rules of the user, which are tried before all others. @default none */
  readonly rules?: readonly UserRule[];
}

/**
 * Replaces secrets and names in texts. `learn` collects names first, and `scrub` then replaces them wherever they occur; so learn from every text
 * before you scrub the first.
 */
export interface Scrubber {
  learn(text: string): void;
  scrub(text: string): string;
  /** Rules that still find something in a scrubbed text; empty when all is well. */
  leftIn(text: string): readonly RuleCount[];
  /** Counts a replacement that was made elsewhere. */
  count(rule: string, times?: number): void;
  counts(): readonly RuleCount[];
  /** Number of names that were replaced only in their own place, because elsewhere they may be words. */
  placeOnly(): number;
}

/** A replaced name may reveal something next to it. */
const MAX_ROUNDS = 4;

export function createScrubber({ names: listed = NO_NAMES, rules: own = [] }: ScrubberOptions = {}): Scrubber {
  const names = createNames();
  const scanner = scannerFor(own);
  const counter = createRuleCounter();
  const replacements = replacementsFor(names, listed, own);
  const known = createKnownNames({ listed, names, replaceSecret: replacements.of });
  const [learned, clean, audited] = [createTextMemory(), createTextMemory(), createTextMemory()];

  const learnFind = (kind: string, value: string): string => {
    if (replacements.isKept(kind, value)) return value;
    if (known.note({ label: labelOf(kind), kind, value })) {
      clean.forget();
      audited.forget();
    }
    return replacements.of(kind, value);
  };
  const scrubOnce = (text: string, note: (rule: string) => void): string => {
    const scanned = scanAll(text, scanner, (kind, value) => {
      const instead = replacements.of(kind, value);
      if (instead !== value) note(kind);
      return instead;
    });
    return known.replaceIn(scanned, note);
  };
  return {
    learn: (text) => {
      if (learned.has(text)) return;
      scanAll(text, scanner, learnFind);
      learned.add(text);
    },
    scrub: (text) => {
      if (clean.has(text)) return text;
      let current = text;
      for (let round = 0; round < MAX_ROUNDS; round++) {
        const next = scrubOnce(current, counter.add);
        if (next === current) {
          clean.add(current);
          break;
        }
        current = next;
      }
      return current;
    },
    leftIn: (text) => {
      if (audited.has(text)) return [];
      const left = createRuleCounter();
      scrubOnce(text, left.add);
      const rows = left.rows();
      if (rows.length === 0) audited.add(text);
      return rows;
    },
    count: counter.add,
    counts: counter.rows,
    placeOnly: known.placeOnly,
  };
}

interface Replacements {
  /** True for a personal name that the user wants to keep. */
  isKept(kind: string, value: string): boolean;
  of(kind: string, value: string): string;
}

function replacementsFor(names: Names, listed: NameList, own: readonly UserRule[]): Replacements {
  const kept = new Set(listed.keep.map((name) => keyOf('user', name)));
  const chosen = new Map(own.map((rule) => [rule.name, rule.replacement] as const));
  const isKept = (kind: string, value: string): boolean => labelOf(kind) !== 'secret' && kept.has(keyOf('user', value));
  return {
    isKept,
    of: (kind, value) => {
      const instead = chosen.get(kind);
      if (instead !== undefined) return instead;
      if (isKept(kind, value)) return value;
      const label = labelOf(kind);
      return names.replacementOf(label, value, label === 'secret' ? kind : '');
    },
  };
}

function labelOf(kind: string): NameLabel {
  return PERSONAL_KINDS[kind] ?? 'secret';
}

const RULES: readonly Rule[] = [...SECRET_RULES, ...PERSONAL_RULES, ...NAME_SHAPES.map(nameRuleOf), emailRule];
const SCANNER: Scanner = scannerOf(RULES);

function scannerFor(own: readonly UserRule[]): Scanner {
  return own.length === 0 ? SCANNER : scannerOf([...own.map(userRuleOf), ...RULES]);
}
