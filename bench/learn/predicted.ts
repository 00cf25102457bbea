import { growth } from '../../src/core/worth/numbers.ts';
import type { Learned } from '../../src/core/worth/score.ts';
import type { LearnedWorth } from '../../src/core/worth/weigh.ts';
import type { TabledSession } from './folds.ts';
import type { Table } from './table.ts';

/** How well facts were predicted on sources left out: bits per fact more than by chance. */
export function bitsPerFact(
  sessions: readonly TabledSession[],
  learned: ReadonlyMap<string, LearnedWorth>,
  kind: 'passages' | 'terms',
): number {
  let bits = 0;
  let facts = 0;
  for (const { session, tables } of sessions) {
    const own = learned.get(session.source)?.[kind];
    if (own === undefined) continue;
    const worths = worthsOf(own, tables[kind]);
    const mean = worths.reduce((sum, worth) => sum + worth, 0) / worths.length;
    for (const [at, credit] of tables[kind].credits.entries()) {
      if (credit === 0) continue;
      bits += credit * Math.log2((worths[at] ?? 1) / mean);
      facts += credit;
    }
  }
  return bits / Math.max(1, facts);
}

function worthsOf({ features, trees }: Learned, { names, columns, credits }: Table): Float64Array {
  const used = features.map((name) => columns[names.indexOf(name)] ?? new Float64Array(credits.length));
  return Float64Array.from(credits, (_, row) => {
    let score = 0;
    for (const tree of trees) {
      let node = tree;
      while (typeof node !== 'number') node = (used[node[0]]?.[row] ?? 0) <= node[1] ? node[2] : node[3];
      score += node;
    }
    return growth(score);
  });
}
