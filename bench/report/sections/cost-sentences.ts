/** Sums up the times. There is no ranking, because most differences between neighbours are within the noise. */
import type { PeersResults } from '../../peers/results.ts';
import { listed, milliseconds, plural, whole } from '../figures.ts';
import { named } from '../rows.ts';
import { compared, type Timed, turnSizes, turnsAt } from '../timed.ts';

export function costSentences(results: PeersResults): readonly string[] {
  const { session, passes, noise } = results.cost;
  const turns = turnSizes(results).map((size) =>
    timeSentence(results, turnsAt(results, size), {
      words: `a turn in a session of ${plural(size, 'token')}`,
      noise: noise.turn,
    }),
  );
  return [
    timeSentence(results, passes, {
      words: `a compaction of ${plural(session.tokens, 'token')}`,
      noise: noise.pass,
    }),
    turns.filter((sentence) => sentence !== '').join(' '),
    exactSentence(results),
  ].filter((sentence) => sentence !== '');
}

function timeSentence(
  results: PeersResults,
  timed: readonly Timed[],
  { words, noise }: { readonly words: string; readonly noise: number },
): string {
  const found = compared(timed, noise);
  if (found === null) return '';
  const { own, others, faster, slower } = found;
  const [first] = others;
  const last = others.at(-1);
  const start = `precis takes ${milliseconds(own.ms)} for ${words}.`;
  if (first === undefined || last === undefined) return start;
  const ends = [
    `The fastest, ${named(results, first.arm)}, takes ${milliseconds(first.ms)}`,
    ...(others.length < 2 ? [] : [`the slowest, ${named(results, last.arm)}, takes ${milliseconds(last.ms)}`]),
  ];
  return `${start} Beyond noise, ${are(faster.length, ` of ${plural(others.length, 'other arm')}`)} faster and ${are(slower.length)} slower. ${ends.join('; ')}.`;
}

/** `none is`, `1 is`, `2 are`. */
function are(count: number, of = ''): string {
  return `${count === 0 ? 'none' : whole(count)}${of} ${count > 1 ? 'are' : 'is'}`;
}

/** Compares only with arms that count tokens exactly: arms that estimate save the most expensive part of a turn. */
function exactSentence(results: PeersResults): string {
  const exact = new Set(results.arms.filter(({ counting }) => counting === 'exact').map(({ id }) => id));
  const said = turnSizes(results).flatMap((size) => {
    const timed = turnsAt(results, size).filter(({ arm }) => exact.has(arm));
    const found = compared(timed, results.cost.noise.turn);
    const fastest = found?.others[0];
    if (!found || fastest === undefined) return [];
    const verdict = found.faster.includes(fastest)
      ? 'slower'
      : found.slower.includes(fastest)
        ? 'faster'
        : 'equally fast within noise';
    return [
      `${verdict} at ${plural(size, 'token')} (${milliseconds(found.own.ms)}; ${named(results, fastest.arm)} takes ${milliseconds(fastest.ms)})`,
    ];
  });
  if (said.length === 0) return '';
  return `Compared with the fastest other arm that counts tokens exactly, a precis turn is ${listed(said)}.`;
}
