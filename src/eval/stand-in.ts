/**
 * A stand-in for reading fixtures and for looking for facts, until the real ones are here. It knows the files of the shipped fixtures and the
 * plain form of probe banks, and finds facts word for word alone.
 */
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { PrecisError } from '../core/errors.ts';
import { contentHash } from '../core/hash.ts';
import {
  type ExpectedFact,
  type FactKind,
  type FactResult,
  type Fixture,
  PROBE_TYPES,
  type Probe,
  type ProbeBank,
  type ProbeType,
} from './types.ts';

export interface LoadedFixture {
  readonly fixture: Fixture;
  readonly bank: ProbeBank;
  readonly warnings: readonly string[];
}

/** All fixtures of a folder, or those that are named, by name or by path. */
export async function loadFixtures(folder: string, names: readonly string[] = []): Promise<readonly LoadedFixture[]> {
  const wanted = names.length > 0 ? names : await readdir(folder).catch(() => []);
  const loaded: LoadedFixture[] = [];
  for (const name of [...wanted].sort()) {
    const place = /[/\\]/.test(name) ? name : join(folder, name);
    const isThere = await stat(join(place, 'probes.json')).then(
      () => true,
      () => false,
    );
    if (isThere) loaded.push(await loadFixture(place));
    else if (names.length > 0)
      throw new PrecisError(
        'bad-option',
        `expected \`--fixtures\` to name a fixture, got \`${name}\`: there is no ${join(place, 'probes.json')}`,
      );
  }
  return loaded;
}

export async function loadFixture(place: string): Promise<LoadedFixture> {
  const names = await readdir(place);
  const file = join(place, names.find((each) => /^session\.jsonl?$/.test(each)) ?? 'session.json');
  const text = await readFile(file, 'utf8');
  const wire = file.endsWith('.jsonl')
    ? text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown)
    : (JSON.parse(text) as unknown);
  const bankFile = join(place, 'probes.json');
  const bankText = await readFile(bankFile, 'utf8');
  const bank = JSON.parse(bankText) as RawBank;
  const name = basename(place);
  const header =
    !Array.isArray(wire) && typeof wire === 'object' && wire !== null ? (wire as Record<string, unknown>) : {};
  return {
    fixture: {
      name,
      description: String(header['description'] ?? ''),
      model: typeof header['model'] === 'string' ? header['model'] : null,
      contextLength: null,
      wire: wire,
      target: typeof header['target'] === 'number' ? header['target'] : null,
      header: {},
      digest: contentHash(text),
      file,
    },
    bank: {
      fixture: name,
      probes: bank.probes?.map(probeOf) ?? (bank.facts ?? []).map(probeOfFact),
      digest: contentHash(bankText),
      file: join(dirname(file), 'probes.json'),
    },
    warnings: [],
  };
}

interface RawBank {
  readonly probes?: readonly RawProbe[];
  readonly facts?: readonly RawFact[];
}

interface RawProbe {
  readonly id: string;
  readonly type: ProbeType;
  readonly question: string;
  readonly pass?: number;
  readonly expected_facts?: readonly (string | (Partial<ExpectedFact> & { readonly value: string }))[];
}

interface RawFact {
  readonly id: string;
  readonly kind: string;
  readonly question: string;
  readonly needles: readonly string[];
}

function probeOf({ id, type, question, pass, expected_facts: facts = [] }: RawProbe): Probe {
  if (!PROBE_TYPES.includes(type)) throw new PrecisError('bad-input', `probe ${id}: unknown type \`${type}\``);
  return {
    id,
    type,
    question,
    pass: pass ?? null,
    expected: facts.map((fact) => factOf(typeof fact === 'string' ? { value: fact } : fact)),
  };
}

const TYPES: Readonly<Record<string, ProbeType>> = {
  constraint: 'constraint',
  decision: 'decision',
  cause: 'decision',
  todo: 'continuation',
  state: 'artifact',
  file: 'artifact',
};

const KINDS: Readonly<Record<string, FactKind>> = {
  constraint: 'constraint',
  decision: 'decision',
  todo: 'todo',
  error: 'error',
  identifier: 'identifier',
};

function probeOfFact({ id, kind, question, needles }: RawFact): Probe {
  return {
    id,
    type: TYPES[kind] ?? 'recall',
    question,
    pass: null,
    expected: needles.map((value) => factOf({ value, kind: KINDS[kind] ?? 'prose' })),
  };
}

function factOf(fact: Partial<ExpectedFact> & { readonly value: string }): ExpectedFact {
  return { kind: 'prose', aliases: [], stale: [], forbidden: [], weight: 'vital', spans: [], ...fact };
}

export interface SurvivalOptions {
  /** What can be got back from the state, as text. */
  readonly recoverable?: string;
}

export interface Survival {
  readonly facts: readonly FactResult[];
  readonly survival: number | null;
  readonly visible: number | null;
}

/** What of a probe's facts is in a text. */
export function survivalOf(probe: Probe, text: string, { recoverable = '' }: SurvivalOptions = {}): Survival {
  const [seen, back] = [plain(text), plain(recoverable)];
  const facts = probe.expected.map((fact): FactResult => {
    const { value, kind, weight } = fact;
    const found = (where: string): boolean => [value, ...fact.aliases].some((each) => where.includes(plain(each)));
    if (found(seen)) return { value, kind, weight, outcome: 'verbatim', note: '' };
    const old = fact.stale.find((each) => seen.includes(plain(each)));
    if (old !== undefined) return { value, kind, weight, outcome: 'stale', note: `found \`${old}\` instead` };
    if (back !== '' && found(back)) return { value, kind, weight, outcome: 'recoverable', note: 'found by a search' };
    return { value, kind, weight, outcome: 'lost', note: 'not found' };
  });
  const share = (kept: (fact: FactResult) => boolean): number | null =>
    facts.length === 0 ? null : sum(facts.filter(kept)) / sum(facts);
  return {
    facts,
    survival: share(({ outcome }) => outcome === 'verbatim' || outcome === 'normalised' || outcome === 'recoverable'),
    visible: share(({ outcome }) => outcome === 'verbatim' || outcome === 'normalised'),
  };
}

function sum(facts: readonly FactResult[]): number {
  return facts.reduce((total, { weight }) => total + (weight === 'vital' ? 1 : 0.5), 0);
}

let lastText = '';
let lastPlain = '';

/** The same state is looked at once for every probe. */
function plain(text: string): string {
  if (text === lastText) return lastPlain;
  const made = text
    .replaceAll('\\n', ' ')
    .replaceAll('\\t', ' ')
    .replaceAll('\\"', '"')
    .replaceAll('\\\\', '\\')
    .replaceAll(/\s+/g, ' ');
  if (text.length > 1_000) [lastText, lastPlain] = [text, made];
  return made;
}
