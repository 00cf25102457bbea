import type { PeersResults } from '../../peers/results.ts';
import { listed, megabytes, milliseconds, NONE, ordinal, plural, shortTokens, times, whole } from '../figures.ts';
import { blocks, left, right, table } from '../markdown.ts';
import { inOrder, isOurs, named, titleOf } from '../rows.ts';

export function cost(results: PeersResults): string {
  const { session, passes, turns } = results.cost;
  if (passes.length === 0 && turns.length === 0) return '';
  return blocks(
    '## Cost',
    `One compaction of a session of ${whole(session.tokens)} tokens in ${plural(session.messages, 'message')}, from the messages to the compacted view: appended, counted and compacted, as some count in one of these steps and some in another; the median, without the time that the summariser took. *by precis*: the time by that of precis without a model. *memory*: the most that the first compaction of a process held beyond what was held right before it. *loaded*: the process once the package is loaded; Node and the bench itself are in it for every arm.`,
    passTable(results),
    'One turn of a session that need not be cut: messages are appended, counted and decided upon, by the size of the session. *exact*: it counts tokens. *estimate*: it works from characters. *none*: it does not count, the caller has to.',
    turnTable(results),
  );
}

function passTable(results: PeersResults): string {
  const { passes } = results.cost;
  const own = passes.find(({ arm }) => arm === 'precis');
  return table(
    [left('arm'), right('a compaction'), right('by precis'), right('memory'), right('loaded')],
    inOrder(results, passes).map(({ arm, ms, peakMb, loadedMb }) => [
      name(results, arm),
      milliseconds(ms),
      own === undefined || own.ms === 0 ? NONE : times(ms / own.ms),
      megabytes(peakMb),
      megabytes(loadedMb),
    ]),
  );
}

function turnTable(results: PeersResults): string {
  const { turns } = results.cost;
  const sizes = [...new Set(turns.map(({ tokens }) => tokens))].toSorted((one, other) => one - other);
  const arms = [...new Set(inOrder(results, turns).map(({ arm }) => arm))];
  return table(
    [left('arm'), ...sizes.map((size) => right(`at ${shortTokens(size)}`)), left('counts')],
    arms.map((arm) => [
      name(results, arm),
      ...sizes.map((size) => {
        const turn = turns.find((each) => each.arm === arm && each.tokens === size);
        return turn === undefined ? NONE : milliseconds(turn.ms);
      }),
      results.arms.find(({ id }) => id === arm)?.counting ?? NONE,
    ]),
  );
}

export function costSentences(results: PeersResults): readonly string[] {
  const { session, passes, turns } = results.cost;
  const largest = Math.max(...turns.map(({ tokens }) => tokens));
  return [
    placeSentence(results, passes, `A compaction of ${whole(session.tokens)} tokens takes`),
    placeSentence(
      results,
      turns.filter(({ tokens }) => tokens === largest),
      `A turn of a session of ${whole(largest)} tokens takes`,
    ),
  ].filter((sentence) => sentence !== '');
}

interface Timed {
  readonly arm: string;
  readonly ms: number;
}

function placeSentence(results: PeersResults, timed: readonly Timed[], words: string): string {
  const own = timed.find(({ arm }) => arm === 'precis');
  if (own === undefined) return '';
  const others = timed.filter(({ arm }) => !isOurs(arm)).toSorted((one, other) => one.ms - other.ms);
  const place = others.filter(({ ms }) => ms < own.ms).length + 1;
  const ends = [
    ...(others[0] === undefined
      ? []
      : [`the fastest other, ${named(results, others[0].arm)}, ${milliseconds(others[0].ms)}`]),
    ...(others.length < 2
      ? []
      : [`the slowest, ${named(results, others.at(-1)?.arm ?? '')}, ${milliseconds(others.at(-1)?.ms ?? 0)}`]),
  ];
  return `${words} precis ${milliseconds(own.ms)}: ${ordinal(place)} of ${others.length + 1}${ends.length === 0 ? '' : `; ${listed(ends)}`}.`;
}

function name(results: PeersResults, arm: string): string {
  return isOurs(arm) ? `**${titleOf(results, arm)}**` : titleOf(results, arm);
}
