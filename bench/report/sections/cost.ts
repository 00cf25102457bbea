import type { PeersResults } from '../../peers/results.ts';
import { megabytes, milliseconds, NONE, plural, shortTokens, times, whole } from '../figures.ts';
import { blocks, left, right, table } from '../markdown.ts';
import { inOrder, isOurs, titleOf } from '../rows.ts';
import { turnSizes } from '../timed.ts';

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
  const sizes = turnSizes(results);
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

function name(results: PeersResults, arm: string): string {
  return isOurs(arm) ? `**${titleOf(results, arm)}**` : titleOf(results, arm);
}
