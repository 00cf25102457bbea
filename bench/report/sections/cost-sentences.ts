/** What the times come to. No places: most differences between neighbours are within the noise. */
import type { PeersResults } from '../../peers/results.ts';
import { listed, milliseconds, plural, whole } from '../figures.ts';
import { named } from '../rows.ts';
import { compared, type Timed, turnSizes, turnsAt } from '../timed.ts';

export function costSentences(results: PeersResults): readonly string[] {
  const { session, passes, noise } = results.cost;
  const turns = turnSizes(results).map((size) =>
    timeSentence(results, turnsAt(results, size), {
      words: `A turn of a session of ${plural(size, 'token')} takes`,
      noise: noise.turn,
    }),
  );
  return [
    timeSentence(results, passes, {
      words: `A compaction of ${plural(session.tokens, 'token')} takes`,
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
  const start = `${words} precis ${milliseconds(own.ms)}`;
  if (first === undefined || last === undefined) return `${start}.`;
  const ends = [
    `the fastest other, ${named(results, first.arm)}, takes ${milliseconds(first.ms)}`,
    ...(others.length < 2 ? [] : [`the slowest, ${named(results, last.arm)}, ${milliseconds(last.ms)}`]),
  ];
  return `${start}: beyond the noise, ${are(faster.length, ` of ${plural(others.length, 'other arm')}`)} faster and ${are(slower.length)} slower; ${listed(ends)}.`;
}

/** `none is`, `1 is`, `2 are`. */
function are(count: number, of = ''): string {
  return `${count === 0 ? 'none' : whole(count)}${of} ${count > 1 ? 'are' : 'is'}`;
}

/** At each size the fastest of the others that count tokens exactly: those that estimate save the dearest part of a turn. */
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
        : 'as fast within the noise';
    return [
      `${verdict} at ${plural(size, 'token')} (${milliseconds(found.own.ms)}; ${named(results, fastest.arm)} ${milliseconds(fastest.ms)})`,
    ];
  });
  if (said.length === 0) return '';
  return `Beside the fastest other arm that counts exactly, a turn of precis is ${listed(said)}.`;
}
