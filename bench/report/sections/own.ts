/** Other measurements of precis alone. */
import type { OwnResults } from '../../own/results.ts';
import { codeOf, listed, megabytes, milliseconds, percent, plural, shareText, times, whole } from '../figures.ts';
import { blocks, left, right, table } from '../markdown.ts';

export function own(results: OwnResults): string {
  return blocks(
    '## Other measurements of precis',
    `Measured by \`npm run bench:own\`: ${results.date.slice(0, 10)}, ${codeOf(results)}Node ${results.node}, ${plural(results.cores, 'core')}.`,
    survival(results),
    store(results),
    crashes(results),
    readers(results),
    longLife(results),
    scrub(results),
  );
}

function survival({ survival: rows }: OwnResults): string {
  return blocks(
    '### Facts by target',
    'These figures come from three small fixtures, without a model. A [probe](eval.md#probes) counts as kept if the view contains all its facts. `task + newest` keeps the system messages, the task and the newest steps that fit.',
    table(
      [left('arm'), right('target'), right('compactions'), right('kept'), right('share')],
      rows.map(({ arm, target, passes, kept, facts }) => [
        arm,
        `${target} %`,
        String(passes),
        `${kept} of ${facts}`,
        shareText({ kept, facts }),
      ]),
    ),
  );
}

function store({ store: { tokens, messages, chunks, jsonBytes, rows } }: OwnResults): string {
  return blocks(
    '### The store',
    `The bench stores a session of ${whole(tokens)} tokens (${megabytes(jsonBytes / 1e6)} as JSON) in a [SQLite file](stores.md). It makes ${whole(messages)} commits of one message each, loads everything, and searches ${whole(chunks)} chunks. The × columns are ratios: commit time to the time of an append to a plain file that waits for the disk, load time to the time of \`JSON.parse\`, and file size to JSON size.`,
    table(
      [
        left('arm'),
        right('commits per second'),
        right('× append'),
        right('load'),
        right('× `JSON.parse`'),
        right('search'),
        right('file × JSON'),
      ],
      rows.map((row) => [
        row.arm,
        whole(row.commitsPerSecond),
        row.commitRatio.toFixed(1),
        milliseconds(row.loadMs),
        row.loadRatio.toFixed(1),
        milliseconds(row.searchMs),
        row.sizeRatio.toFixed(2),
      ]),
    ),
  );
}

function crashes({ crash: { writers, contexts } }: OwnResults): string {
  const during = Object.entries(writers.during).map(([what, count]) => `${what} (${count})`);
  // No result is needed for "whole": `killWriters` throws, and the run saves nothing, when a file is damaged, an acknowledged batch is missing or half of
  // one is there.
  return blocks(
    '### Crashes',
    `The test killed ${plural(writers.kills, 'writer')} during ${listed(during)}. Every file stayed intact and held all ${whole(writers.acknowledged)} acknowledged batches. Of the batches in progress, ${writers.wholeBatches} were complete and ${writers.absentBatches} absent; none was partial. The test also killed ${plural(contexts.kills, 'agent')} in the middle of a step. Afterwards, ${contexts.before} contexts were as before the step and ${contexts.after} as after it, and all ${whole(contexts.refs)} refs resolved.`,
  );
}

function readers({ readers: rows }: OwnResults): string {
  return blocks(
    '### Reading logs',
    'The bench reads Claude Code logs made for this test: a typical one, and two that consist almost entirely of fields that precis does not keep. It reads each log in a separate process. *memory* is the peak of that process, less what it held before it began.',
    table(
      [left('log'), right('size'), right('tokens'), right('messages'), right('read'), right('memory')],
      rows.map(({ what, bytes, tokens, messages, readMs, peakBytes }) => [
        what,
        megabytes(bytes / 1e6),
        whole(tokens),
        whole(messages),
        milliseconds(readMs),
        megabytes(peakBytes / 1e6),
      ]),
    ),
  );
}

function longLife({ longLife: life }: OwnResults): string {
  return blocks(
    '### A long session',
    `In a window of 24,000 tokens, ${plural(life.turns, 'turn')} need ${plural(life.compactions, 'compaction')}. On average, the first ten shrink the view to ${percent(life.firstRatio)} of its size and write a handoff of ${whole(life.firstHandoff)} tokens; the last ten shrink it to ${percent(life.lastRatio)} and write ${whole(life.lastHandoff)} tokens. The last view contains ${life.rulesKept} of ${plural(life.rules, 'rule')} that the user stated along the way.`,
  );
}

function scrub({ scrub: { planted, clean, growth } }: OwnResults): string {
  const [worst] = growth.toSorted((one, other) => other.growth - one.growth);
  const slow =
    worst === undefined
      ? ''
      : ` On ${plural(growth.length, 'kind')} of text designed to be slow, four times the text takes at most ${worst.growth.toFixed(1)} times as long (worst: ${worst.what}).`;
  return blocks(
    '### Scrubbing',
    `After [scrubbing](scrub.md), ${planted.left} of ${plural(planted.items, 'planted item')} (${plural(planted.kinds, 'kind')}) remain. In ${megabytes(clean.bytes / 1e6)} of text with nothing to replace, the scrubber makes ${times(clean.per100KB)} replacements per 100 KB, at ${whole(clean.megabytesPerSecond)} MB per second.${slow}`,
  );
}
