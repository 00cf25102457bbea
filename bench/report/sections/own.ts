/** Other figures of precis alone. */
import type { OwnResults } from '../../own/results.ts';
import { codeOf, listed, megabytes, milliseconds, plural, shareText, times, whole } from '../figures.ts';
import { blocks, left, right, table } from '../markdown.ts';

export function own(results: OwnResults): string {
  return blocks(
    '## Other figures of our own',
    `\`npm run bench:own\`, ${results.date.slice(0, 10)}, ${codeOf(results)}Node ${results.node}, ${plural(results.cores, 'core')}.`,
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
    'Three small fixtures, no model. Here a [probe](probes.md) is kept when all its facts are; `task + newest` keeps system, task and the newest steps that fit.',
    table(
      [left('arm'), right('target'), right('compactions'), right('kept'), right('part')],
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
    `A session of ${whole(tokens)} tokens, ${megabytes(jsonBytes / 1e6)} as JSON, in a [SQLite file](stores.md): ${whole(messages)} commits of one message each, then all of it is loaded and words of it are looked for in ${whole(chunks)} chunks. Beside a commit stands an append to a plain file that waits for the disk, beside a load \`JSON.parse\` of the same messages.`,
    table(
      [
        left('arm'),
        right('commits a second'),
        right('by an append'),
        right('load'),
        right('by `JSON.parse`'),
        right('search'),
        right('file by JSON'),
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
    `${plural(writers.kills, 'writer')} killed during ${listed(during)}. Every file was whole: all ${whole(writers.acknowledged)} acknowledged batches were there; of those under way ${writers.wholeBatches} were there whole and ${writers.absentBatches} not at all. ${plural(contexts.kills, 'agent')} killed in the middle of a step: ${contexts.before} contexts were as before it and ${contexts.after} as after it, and ${whole(contexts.refs)} refs resolved.`,
  );
}

function readers({ readers: rows }: OwnResults): string {
  return blocks(
    '### Reading logs',
    'Logs of Claude Code, made for this: one of the usual kind, and two whose weight is almost all in fields that are not kept. Each is read in a process of its own; memory is the most it ever held, less what it held before it began.',
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
    '### A long life',
    `${plural(life.turns, 'turn')} in a window of 24,000 tokens: ${plural(life.compactions, 'compaction')}. The size after one by the size before is ${life.firstRatio.toFixed(2)} in the first ten and ${life.lastRatio.toFixed(2)} in the last ten, the handoff ${whole(life.firstHandoff)} and ${whole(life.lastHandoff)} tokens. ${life.rulesKept} of ${plural(life.rules, 'rule')} that the user stated along the way are in the last view.`,
  );
}

function scrub({ scrub: { planted, clean, growth } }: OwnResults): string {
  const [worst] = growth.toSorted((one, other) => other.growth - one.growth);
  const slow =
    worst === undefined
      ? ''
      : ` ${plural(growth.length, 'kind')} of text made to be slow: four times the text takes at most ${worst.growth.toFixed(1)} times as long (${worst.what}).`;
  return blocks(
    '### Scrubbing',
    `${planted.left} of ${plural(planted.items, 'planted item')} of ${plural(planted.kinds, 'kind')} are left after [scrubbing](scrub.md). In ${megabytes(clean.bytes / 1e6)} of text that holds nothing to replace there are ${times(clean.per100KB)} replacements in 100 KB, at ${whole(clean.megabytesPerSecond)} MB a second.${slow}`,
  );
}
