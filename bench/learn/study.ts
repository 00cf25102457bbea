import { PASSAGE_FEATURES } from '../../src/core/worth/passage-features.ts';
import { TERM_FEATURES } from '../../src/core/worth/term-features.ts';
import type { BoostOptions } from './boost.ts';
import { leaveOneOut, sourcesOf, type TabledSession } from './folds.ts';
import { type KeptRow, keptIn } from './kept.ts';
import { bitsPerFact } from './predicted.ts';
import { share } from './report.ts';
import { learn } from './train.ts';

/** What the number of sources and every single feature are worth. */
export interface Study {
  readonly target: string;
  readonly curve: readonly { readonly seen: number; readonly kept: number }[];
  readonly dropped: readonly {
    readonly of: 'passage' | 'term';
    readonly name: string;
    readonly says: string;
    /** Bits per fact that are lost without it. */
    readonly loss: number;
  }[];
}

const CURVE_TARGET = '10';
/** Smaller trees than the real ones: everything is learned again for every feature. */
const SMALL: BoostOptions = { trees: 60, depth: 4, rate: 0.1, calm: 20, least: 3, columns: 0.5 };
/** Sources are left out in this many groups. */
const GROUPS = 4;

export async function study(sessions: readonly TabledSession[], say: (line: string) => void): Promise<Study> {
  const curve: { seen: number; kept: number }[] = [];
  const most = sourcesOf(sessions).length - 1;
  for (const seen of [...new Set([2, 4, 8, most])].filter((count) => count <= most)) {
    say(`learning curve: ${seen} of ${most} repositories`);
    const learned = leaveOneOut(sessions, { seen });
    const rows: KeptRow[] = [];
    for (const { session } of sessions.filter(
      ({ session: { shipped } }) => !shipped || sessions.every((one) => one.session.shipped),
    ))
      rows.push(...(await keptIn(session, [CURVE_TARGET], learned.get(session.source) ?? TRAINED_ON_NOTHING)));
    curve.push({ seen, kept: share(rows) });
  }
  const dropped = [
    ...losses({ sessions, kind: 'passages', features: PASSAGE_FEATURES, say }),
    ...losses({ sessions, kind: 'terms', features: TERM_FEATURES, say }),
  ];
  return { target: CURVE_TARGET, curve, dropped: dropped.sort((one, other) => other.loss - one.loss) };
}

const TRAINED_ON_NOTHING = { passages: { features: [], trees: [] }, terms: { features: [], trees: [] } };

interface Losses {
  readonly sessions: readonly TabledSession[];
  readonly kind: 'passages' | 'terms';
  readonly features: readonly { readonly name: string; readonly says: string }[];
  readonly say: (line: string) => void;
}

/** Features that are values of one thing, such as all voices, are left out together. */
function losses({ sessions, kind, features, say }: Losses): Study['dropped'] {
  const groups = new Map<string, string[]>();
  for (const { name } of features) {
    const [group = name] = name.split(':');
    groups.set(group, [...(groups.get(group) ?? []), name]);
  }
  const whole = bitsWithout(sessions, kind, new Set());
  return [...groups].map(([name, names], at) => {
    say(`${kind} without "${name}" (${at + 1} of ${groups.size})`);
    const loss = whole - bitsWithout(sessions, kind, new Set(names));
    const says = names.length > 1 ? `one of ${names.length}` : (features.find((one) => one.name === name)?.says ?? '');
    return { of: kind === 'passages' ? 'passage' : 'term', name, says, loss };
  });
}

function bitsWithout(
  sessions: readonly TabledSession[],
  kind: 'passages' | 'terms',
  without: ReadonlySet<string>,
): number {
  const sources = sourcesOf(sessions);
  const groupOf = new Map(sources.map((source, at) => [source, at % GROUPS]));
  const learned = Array.from({ length: Math.min(GROUPS, sources.length) }, (_, group) => {
    const seen = sessions.filter(({ session }) => groupOf.get(session.source) !== group);
    const own = learn(
      seen.map(({ tables }) => tables[kind]),
      SMALL,
      without,
    );
    return { ...TRAINED_ON_NOTHING, [kind]: own };
  });
  const bySource = new Map(
    sources.map((source) => [source, learned[groupOf.get(source) ?? 0] ?? TRAINED_ON_NOTHING] as const),
  );
  return bitsPerFact(sessions, bySource, kind);
}
