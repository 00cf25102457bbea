import { createFinder, type Finder, replaceFound } from '../finder.ts';
import type { NameList } from '../user/user-rules.ts';
import { isDistinctive } from './distinctive.ts';
import { inCaseOf, keyOf, type NameLabel, type Names } from './names.ts';

/** Something that a rule found. */
export interface Find {
  readonly label: NameLabel;
  readonly kind: string;
  readonly value: string;
}

/** Names and secrets that are replaced wherever they occur. */
export interface KnownNames {
  /** Remembers a find that means the same everywhere. True when it is new. */
  note(find: Find): boolean;
  /** Replaces everything that is known; `note` hears the rule of each replacement. */
  replaceIn(text: string, note: (rule: string) => void): string;
  /** Number of names that only their own rule replaces, because elsewhere they may be words. */
  placeOnly(): number;
}

export interface KnownNamesOptions {
  readonly listed: NameList;
  readonly names: Names;
  /** The replacement of a secret of this kind. */
  readonly replaceSecret: (kind: string, value: string) => string;
}

/** Shorter secrets are replaced only where a rule finds them: elsewhere the same letters may mean something else. */
const SHORTEST_LITERAL = 8;
/** Longer secrets are keys over many lines, which a rule finds by their first line. */
const LONGEST_LITERAL = 300;

export function createKnownNames({ listed, names, replaceSecret }: KnownNamesOptions): KnownNames {
  const known: Known = { secrets: new Map(), people: new Map(), hosts: new Set(), placeOnly: new Set() };
  const projects = listNames(listed, names, known);
  let finders: Finders | null = null;
  return {
    note: (find) => {
      const isNew = noteFind(known, find);
      if (isNew) finders = null;
      return isNew;
    },
    replaceIn: (text, note) => {
      finders ??= findersOf(known, projects);
      let current = replaceFound(text, finders.secrets, (found) => {
        const kind = known.secrets.get(found) ?? 'secret';
        note(kind);
        return replaceSecret(kind, found);
      });
      current = replaceFound(current, finders.projects, (found) => {
        note('project name');
        return inCaseOf(found, names.replacementOf('project', found));
      });
      current = replaceFound(current, finders.hosts, (found) => {
        note('host name');
        return names.replacementOf('host', found);
      });
      return replaceFound(current, finders.people, (found) => {
        note('personal handle');
        return inCaseOf(found, names.replacementOf(found.includes(' ') ? 'contributor' : 'user', found));
      });
    },
    placeOnly: () => known.placeOnly.size,
  };
}

interface Known {
  /** Kinds by value. */
  readonly secrets: Map<string, string>;
  /** Parts of the name by key. */
  readonly people: Map<string, readonly string[]>;
  readonly hosts: Set<string>;
  /** Keys of names that are too short or too common to be replaced everywhere. */
  readonly placeOnly: Set<string>;
}

interface Finders {
  readonly secrets: Finder;
  readonly people: Finder;
  readonly hosts: Finder;
  readonly projects: Finder;
}

/** Takes over the user's list, and returns the names of projects. */
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

/** Remembers a find that is to be replaced everywhere. True when it is new. */
function noteFind(known: Known, { label, kind, value }: Find): boolean {
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
    known.placeOnly.add(key);
    return false;
  }
  if (known.people.has(key)) return false;
  known.people.set(key, parts);
  return true;
}

/** The handle in an address, if it clearly is one: `jane.doe@…`, and the addresses that GitHub makes. Others may be words. */
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
