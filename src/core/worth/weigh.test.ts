import { describe, expect, it } from 'vitest';
import { openaiChat } from '../../formats/openai-chat/index.ts';
import { build } from '../../testing/build/build.ts';
import { recordHistory } from '../facts/history-record.ts';
import { substanceOf } from '../language/names.ts';
import { marginalWorth } from './select-passages.ts';
import { weigh } from './weigh.ts';

/** What each line of an output is worth in a view that says nothing yet. */
function worths(lines: readonly string[]): readonly number[] {
  const session = build().user('Check it.').call('bash', { command: 'make test' }).result(lines.join('\n'));
  const { entries } = recordHistory(session.assistant('Hm.').decode(openaiChat).messages);
  const weighed = weigh(entries);
  const output = entries.findIndex(({ type }) => type === 'did');
  return weighed.passages
    .filter(({ entry, index }) => entry === output && index >= 0)
    .map((passage) => marginalWorth(weighed, passage, new Uint8Array(weighed.termWeights.length)));
}

describe('lines of an output', () => {
  it('that differ in names, paths and numbers alone say less and less', () => {
    const names = [...'abcdefghijklmnopqrstuvwxyz'].map((letter) => `${letter}${letter}lib`);
    const found = worths([
      ...names.map((name) => `go: downloading example.org/${name}`),
      'the cache was full and it was kept',
    ]);
    expect(found).toHaveLength(27);
    expect(found[20]).toBeLessThan((found[0] ?? 0) / 2);
    expect(found[26]).toBeGreaterThan(found[20] ?? 0);
  });

  it.each([
    ['set different things', ['API_KEY_NAME = on', 'retry_count = on', 'max_window_size = on', 'log_to_file = on']],
    ['end in another word', ['web-a is healthy.', 'web-b is slow.', 'web-c is gone.', 'web-d is new.']],
    ['are found in different places', ['src/a.ts: the same', 'src/b.ts: the same', 'src/c.ts: the same']],
  ])('that %s keep their worth', (_how, lines) => {
    const found = worths(lines);
    expect(Math.min(...found)).toBeGreaterThan(Math.max(...found) / 2);
  });

  it('that say different things count alike, wherever they stand', () => {
    const found = worths([
      'the parser took a comma for a point',
      'nothing was written to disk',
      'one job waits for a lock',
    ]);
    expect(Math.min(...found)).toBeGreaterThan(Math.max(...found) / 2);
  });
});

describe('the substance of a line', () => {
  it.each([
    ['Several things were improved', 0],
    ['The limit is 250', 0.5],
    ['`maxKeys` in src/limiter.ts is 10000', 1],
  ])('%s', (line, substance) => {
    expect(substanceOf(line)).toBe(substance);
  });
});
