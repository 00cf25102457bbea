import type { PeersResults } from '../../peers/results.ts';
import { megabytes, milliseconds, NONE, plural, shortTokens, times, whole } from '../figures.ts';
import { blocks, left, list, right, table } from '../markdown.ts';
import { inOrder, isOurs, titleOf } from '../rows.ts';
import { turnSizes } from '../timed.ts';

export function cost(results: PeersResults): string {
  const { session, passes, turns } = results.cost;
  if (passes.length === 0 && turns.length === 0) return '';
  return blocks(
    '## Time and memory',
    `This table shows one compaction of a session of ${whole(session.tokens)} tokens in ${plural(session.messages, 'message')}. The time covers appending, counting and compacting, because arms count in different steps. It is a median and leaves out the time that the summariser took.`,
    list([
      '*relative*: the time divided by that of precis without a model.',
      '*memory*: the peak during the first compaction of a process, less what the process held right before.',
      '*loaded*: the memory of the process once the package is loaded. It includes Node and the bench for every arm.',
    ]),
    passTable(results),
    'The next table shows one turn in a session that needs no cut, by session size: the arm appends messages, counts and decides. In the last column, *exact* arms count tokens, *estimate* arms estimate them from characters, and *none* leaves counting to the caller.',
    turnTable(results),
  );
}

function passTable(results: PeersResults): string {
  const { passes } = results.cost;
  const own = passes.find(({ arm }) => arm === 'precis');
  return table(
    [left('arm'), right('a compaction'), right('relative'), right('memory'), right('loaded')],
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
