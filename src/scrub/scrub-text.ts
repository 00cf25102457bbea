import { PERSONAL_RULES, SECRET_RULES } from '../core/redact/redact.ts';
import { type Rule, type Scanner, scanAll, scannerOf } from '../core/redact/scan.ts';
import { createFinder, type Finder, replaceFound } from './finder.ts';
import { isDistinctive } from './names/distinctive.ts';
import { emailRule } from './names/email.ts';
import { nameRuleOf } from './names/name-rule.ts';
import { createNames, inCaseOf, keyOf, type NameLabel, type Names } from './names/names.ts';
import { NAME_SHAPES, PERSONAL_KINDS } from './rules.ts';
import { type NameList, NO_NAMES, type UserRule, userRuleOf } from './user/user-rules.ts';

export interface ScrubberOptions {
  readonly names?: NameList;
  readonly rules?: readonly UserRule[];
}

/** Counts of one rule. */
export interface RuleCount {
  readonly rule: string;
  /** How often something was replaced. */
  readonly count: number;
}

/**
 * Replaces secrets and names in texts. Names are learned first, from all texts (`learn`), and then replaced wherever they stand; so every text
 * must be learned from before the first is scrubbed.
 */
export interface Scrubber {
  learn(text: string): void;
  scrub(text: string): string;
  /** What a scrubbed text still holds, by rule; empty when all is well. */
  leftIn(text: string): readonly RuleCount[];
  /** Notes a replacement that was made elsewhere. */
  count(rule: string, times?: number): void;
  counts(): readonly RuleCount[];
  /** Names that were replaced in their own place only, since elsewhere they may be words. */
  placeOnly(): number;
}

/** Shorter secrets are replaced where a rule finds them, and not wherever the same letters stand. */
const SHORTEST_LITERAL = 8;
/** Longer ones are keys over many lines, which are found by their first line. */
const LONGEST_LITERAL = 300;

export function createScrubber({ names: listed = NO_NAMES, rules: own = [] }: ScrubberOptions = {}): Scrubber {
  const names = createNames();
  const kept = new Set(listed.keep.map((name) => keyOf('user', name)));
  const scanner = scannerFor(own);
  const replacements = new Map(own.map((rule) => [rule.name, rule.replacement] as const));
  const counts = new Map<string, number>();
  const count = (rule: string, times = 1): void => void counts.set(rule, (counts.get(rule) ?? 0) + times);
  const known: Known = { secrets: new Map(), people: new Map(), hosts: new Set(), single: new Set() };
  const projects = listNames(listed, names, known);
  let finders: Finders | null = null;
  const clean = createMemory();
  const learned = createMemory();
  const audited = createMemory();

  const replacement = (kind: string, value: string): string => {
    const chosen = replacements.get(kind);
    if (chosen !== undefined) return chosen;
    const label = PERSONAL_KINDS[kind] ?? 'secret';
    if (label !== 'secret' && kept.has(keyOf('user', value))) return value;
    return names.replacementOf(label, value, label === 'secret' ? kind : '');
  };
  const learn = (kind: string, value: string): string => {
    const label = PERSONAL_KINDS[kind] ?? 'secret';
    if (label !== 'secret' && kept.has(keyOf('user', value))) return value;
    if (noteName(known, label, kind, value)) {
      finders = null;
      clean.forget();
      audited.forget();
    }
    return replacement(kind, value);
  };
  const ready = (): Finders => {
    finders ??= findersOf(known, projects);
    return finders;
  };
  const replaceKnown = (text: string, note: (rule: string) => void): string => {
    const { secrets, people, hosts, projects: inProjects } = ready();
    let current = replaceFound(text, secrets, (found) => {
      const kind = known.secrets.get(found) ?? 'secret';
      note(kind);
      return replacement(kind, found);
    });
    current = replaceFound(current, inProjects, (found) => {
      note('project name');
      return inCaseOf(found, names.replacementOf('project', found));
    });
    current = replaceFound(current, hosts, (found) => {
      note('host name');
      return names.replacementOf('host', found);
    });
    return replaceFound(current, people, (found) => {
      note('personal handle');
      return inCaseOf(found, names.replacementOf(found.includes(' ') ? 'contributor' : 'user', found));
    });
  };
  const scrubOnce = (text: string, note: (rule: string) => void): string => {
    const scanned = scanAll(text, scanner, (kind, value) => {
      const instead = replacement(kind, value);
      if (instead !== value) note(kind);
      return instead;
    });
    return replaceKnown(scanned, note);
  };
  return {
    learn: (text) => {
      if (learned.has(text)) return;
      scanAll(text, scanner, learn);
      learned.add(text);
    },
    scrub: (text) => {
      if (clean.has(text)) return text;
      let current = text;
      for (let round = 0; round < MAX_ROUNDS; round++) {
        const next = scrubOnce(current, count);
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
      const left = new Map<string, number>();
      scrubOnce(text, (rule) => void left.set(rule, (left.get(rule) ?? 0) + 1));
      if (left.size === 0) audited.add(text);
      return rowsOf(left);
    },
    count,
    counts: () => rowsOf(counts),
    placeOnly: () => known.single.size,
  };
}

/** Sessions say the same things over and over, and each is looked at more than once: a text that is known needs no second look. */
interface Memory {
  has(text: string): boolean;
  add(text: string): void;
  forget(): void;
}

const MOST_REMEMBERED = 200_000;

function createMemory(): Memory {
  const texts = new Set<string>();
  return {
    has: (text) => texts.has(text),
    add: (text) => void (texts.size < MOST_REMEMBERED && texts.add(text)),
    forget: () => texts.clear(),
  };
}

/** A name that was replaced may free what stood beside it. */
const MAX_ROUNDS = 4;

interface Known {
  /** Value and kind. */
  readonly secrets: Map<string, string>;
  /** Key and the parts of the name. */
  readonly people: Map<string, readonly string[]>;
  readonly hosts: Set<string>;
  readonly single: Set<string>;
}

interface Finders {
  readonly secrets: Finder;
  readonly people: Finder;
  readonly hosts: Finder;
  readonly projects: Finder;
}

const RULES: readonly Rule[] = [...SECRET_RULES, ...PERSONAL_RULES, ...NAME_SHAPES.map(nameRuleOf), emailRule];
const SCANNER: Scanner = scannerOf(RULES);

function scannerFor(own: readonly UserRule[]): Scanner {
  return own.length === 0 ? SCANNER : scannerOf([...own.map(userRuleOf), ...RULES]);
}

/** Takes the user's list over, and gives the names of projects. */
function listNames({ projects, hosts, people }: NameList, names: Names, known: Known): readonly string[] {
  const listed: readonly (readonly [NameLabel, ReadonlyMap<string, string | null>])[] = [
    ['project', projects],
    ['host', hosts],
    ['user', people],
  ];
  for (const [label, map] of listed)
    for (const [name, replacement] of map) {
      if (replacement === null) names.replacementOf(label, name);
      for (const variant of variantsOf(name.split(SEPARATOR)))
        if (replacement !== null) {
          names.choose(label, variant, replacement);
          if (label === 'user') names.choose('contributor', variant, replacement);
        }
    }
  for (const name of hosts.keys()) known.hosts.add(name);
  for (const name of people.keys()) known.people.set(keyOf('user', name), name.split(SEPARATOR));
  return [...projects.keys()];
}

const SEPARATOR = /[ ._-]+/;

/** Remembers what is to be replaced wherever it stands. True when that is new. */
function noteName(known: Known, label: NameLabel, kind: string, value: string): boolean {
  if (label === 'secret') {
    if (value.length < SHORTEST_LITERAL || value.length > LONGEST_LITERAL || known.secrets.has(value)) return false;
    known.secrets.set(value, kind);
    return true;
  }
  if (label === 'host') {
    if (!isDistinctive(value) || known.hosts.has(value)) return false;
    known.hosts.add(value);
    return true;
  }
  const name = label === 'e-mail' ? handleOfAddress(value) : label === 'mention' || label === 'phone' ? null : value;
  if (name === null) return false;
  const parts = name.split(SEPARATOR).filter((part) => part !== '');
  const key = keyOf('user', name);
  if (!isDistinctive(key) || !isDistinctive(name)) {
    known.single.add(key);
    return false;
  }
  if (known.people.has(key)) return false;
  known.people.set(key, parts);
  return true;
}

/** The handle in an address, when it is plainly one: `jane.doe@…`, and the addresses GitHub makes. Others may be words. */
function handleOfAddress(address: string): string | null {
  const [local = '', domain = ''] = address.split(/@|%40/);
  if (/^users\.noreply\.github\.com$/i.test(domain)) return local.replace(/^\d+\+/, '');
  const [name = ''] = local.split('+');
  return /^\p{L}{2,}[._-]\p{L}{2,}\d{0,4}$/u.test(name) ? name : null;
}

function findersOf({ secrets, people, hosts }: Known, projects: readonly string[]): Finders {
  const words = { words: true };
  return {
    secrets: createFinder([...secrets.keys()], { words: false }),
    people: createFinder([...people.values()].flatMap(variantsOf), words),
    hosts: createFinder([...hosts], words),
    projects: createFinder(
      projects.flatMap((name) => variantsOf(name.split(SEPARATOR))),
      words,
    ),
  };
}

/** `jane doe`, `jane.doe`, `jane-doe`, `jane_doe`, `janedoe`. */
function variantsOf(parts: readonly string[]): readonly string[] {
  return parts.length === 1 ? parts : [' ', '.', '-', '_', ''].map((separator) => parts.join(separator));
}

function rowsOf(counts: ReadonlyMap<string, number>): readonly RuleCount[] {
  return Array.from(counts, ([rule, count]) => ({ rule, count })).sort((left, right) =>
    left.rule < right.rule ? -1 : left.rule > right.rule ? 1 : 0,
  );
}
