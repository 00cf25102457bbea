import { bestPlaces } from './best-place.ts';
import { seeded } from './boost.ts';
import { type KeptRow, sessionTokens } from './kept.ts';
import type { LabelledSession } from './labelled.ts';
import type { Study } from './study.ts';

export interface ReportInput {
  readonly about: string;
  readonly targets: readonly string[];
  readonly rows: readonly KeptRow[];
  /** Rows of sessions that were stitched together, with their sizes in tokens. */
  readonly large: readonly (readonly [tokens: number, rows: readonly KeptRow[]])[];
  readonly study: Study | null;
}

export const LARGE_TARGETS: readonly string[] = ['10', '20000t'];
const LONG_TOKENS = 260_000;
const SIZES: readonly (readonly [string, number])[] = [
  ['up to 50K tokens', 50_000],
  ['50K to 150K', 150_000],
  ['150K to 260K', LONG_TOKENS],
  ['over 260K', Number.POSITIVE_INFINITY],
];

/** The report as a page: facts kept on sources that were left out, in many cuts, with intervals over sessions. */
export function reportOf({ about, targets, rows, large, study }: ReportInput): string {
  // The sessions that ship are short and their facts simple, so they have a row of their own.
  const others = rows.filter(({ session }) => !session.shipped);
  const main = others.length === 0 ? rows : others;
  const places = new Map([...new Set(rows.map(({ session }) => session))].map((one) => [one, bestPlaces(one)]));
  const sizes = new Map([...places.keys()].map((one) => [one, sessionTokens(one)]));
  const cuts: readonly (readonly [string, (row: KeptRow) => string])[] = [
    ['All sessions', () => 'all'],
    ['Set', ({ session }) => setOf(session, sizes.get(session) ?? 0)],
    ['Kind of fact', ({ fact }) => fact.kind],
    ['Constraints, by set', (row) => constraintSet(row, sizes.get(row.session) ?? 0)],
    ['Best place: the voice that says it', ({ session, fact }) => places.get(session)?.get(fact) ?? 'several'],
    ['Size of the session', ({ session }) => sizeOf(sizes.get(session) ?? 0)],
  ];
  return [
    '# What is kept on sessions that the weights never saw',
    '',
    about,
    '',
    'Facts literally in the view, in percent, without a model. Each session is judged by weights that were learned without its repository. Intervals (95 %) are over sessions.',
    '',
    ...cuts.flatMap(([title, of]) => table(title, { targets, rows: title === 'Set' ? rows : main, of })),
    ...largeLines(large),
    ...(study === null ? [] : studyLines(study)),
  ].join('\n');
}

function setOf({ name, shipped }: LabelledSession, tokens: number): string {
  if (shipped) return 'the sessions that ship';
  const letters = /^[a-z]+(?=\d)/i.exec(name)?.[0] ?? 'all';
  return tokens > LONG_TOKENS ? `${letters}, over 260K tokens` : letters;
}

function constraintSet({ session, fact }: KeptRow, tokens: number): string {
  return fact.kind === 'constraint' ? setOf(session, tokens) : '';
}

function sizeOf(tokens: number): string {
  return SIZES.find(([, most]) => tokens <= most)?.[0] ?? '';
}

interface Cut {
  readonly targets: readonly string[];
  readonly rows: readonly KeptRow[];
  /** The group of a row; an empty one is left out. */
  readonly of: (row: KeptRow) => string;
}

function table(title: string, { targets, rows, of }: Cut): readonly string[] {
  const groups = new Map<string, KeptRow[]>();
  for (const row of rows) {
    const group = of(row);
    if (group !== '') groups.set(group, [...(groups.get(group) ?? []), row]);
  }
  if (groups.size === 0) return [];
  const lines = [...groups]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([group, own]) => {
      const cells = targets.map((target) => cell(own.filter((row) => row.target === target)));
      return `| ${group} | ${own.length / targets.length} | ${cells.join(' | ')} |`;
    });
  return [
    `| ${title} | Facts | ${targets.map(targetName).join(' | ')} |`,
    `|---|---|${targets.map(() => '---|').join('')}`,
    ...lines,
    '',
  ];
}

function targetName(target: string): string {
  return target.endsWith('t') ? `${Number.parseInt(target, 10).toLocaleString('en')} tokens` : `${target} %`;
}

function cell(rows: readonly KeptRow[]): string {
  const { low, high } = interval(rows);
  return `${percent(share(rows))} [${percent(low)}, ${percent(high)}]`;
}

export function share(rows: readonly KeptRow[]): number {
  return rows.filter(({ kept }) => kept).length / Math.max(1, rows.length);
}

function percent(value: number): string {
  return (100 * value).toFixed(1);
}

const RESAMPLES = 2_000;

/** Where the share would lie for other sessions like these: sessions are drawn again, with all their facts. */
function interval(rows: readonly KeptRow[]): { readonly low: number; readonly high: number } {
  const bySession = new Map<LabelledSession, { kept: number; all: number }>();
  for (const { session, kept } of rows) {
    const own = bySession.get(session) ?? { kept: 0, all: 0 };
    bySession.set(session, { kept: own.kept + (kept ? 1 : 0), all: own.all + 1 });
  }
  const sessions = [...bySession.values()];
  const random = seeded(11);
  const shares = Array.from({ length: RESAMPLES }, () => {
    let [kept, all] = [0, 0];
    for (let draw = 0; draw < sessions.length; draw++) {
      const one = sessions[Math.floor(random() * sessions.length)];
      kept += one?.kept ?? 0;
      all += one?.all ?? 0;
    }
    return kept / Math.max(1, all);
  }).sort((one, other) => one - other);
  return { low: shares[Math.floor(RESAMPLES * 0.025)] ?? 0, high: shares[Math.floor(RESAMPLES * 0.975)] ?? 0 };
}

function largeLines(large: ReportInput['large']): readonly string[] {
  const known = large.filter(([, rows]) => rows.length > 0);
  if (known.length === 0) return [];
  return [
    '## Large sessions',
    '',
    'Sessions of one repository, stitched together one after the other, up to about this size.',
    '',
    `| Tokens | Sessions | Facts | ${LARGE_TARGETS.map(targetName).join(' | ')} |`,
    `|---|---|---|${LARGE_TARGETS.map(() => '---|').join('')}`,
    ...known.map(([tokens, rows]) => {
      const cells = LARGE_TARGETS.map((target) => percent(share(rows.filter((row) => row.target === target))));
      const sessions = new Set(rows.map(({ session }) => session)).size;
      return `| ${tokens.toLocaleString('en')} | ${sessions} | ${rows.length / LARGE_TARGETS.length} | ${cells.join(' | ')} |`;
    }),
    '',
  ];
}

function studyLines({ target, curve, dropped }: Study): readonly string[] {
  return [
    '## How much the number of sources matters',
    '',
    `Each session is judged by weights that saw this many other repositories; facts kept at ${target} %.`,
    '',
    '| Repositories seen | Kept |',
    '|---|---|',
    ...curve.map(({ seen, kept }) => `| ${seen} | ${percent(kept)} |`),
    '',
    '## What each feature is worth',
    '',
    'One feature is left out, and everything is learned again with smaller trees. The loss is in bits per fact on repositories left out: how much less surely the facts are found. Below 0.02 the difference is chance.',
    '',
    '| Feature | Says | Loss |',
    '|---|---|---|',
    ...dropped.map(({ of, name, says, loss }) => `| ${of}: ${name} | ${says} | ${loss.toFixed(3)} |`),
    '',
  ];
}
