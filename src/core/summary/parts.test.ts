import { describe, expect, test } from 'vitest';
import { entriesOf } from '../record/entries.ts';
import { heuristicCounter } from '../tokens/counter.ts';
import { splitIntoParts } from './parts.ts';
import { promptFor } from './prompt.ts';
import { CAPS, transcriptBlocks } from './transcript.ts';

const count = (text: string): number => heuristicCounter.count(text);

/** A zone of calls with long outputs, each another. */
function zone(steps: number, chars: number): ReturnType<typeof entriesOf> {
  const history = Array.from({ length: steps }, (_, step) => [
    {
      number: step * 2 + 1,
      message: {
        role: 'assistant' as const,
        parts: [
          {
            type: 'tool-call' as const,
            callId: `c${step}`,
            name: 'bash',
            arguments: JSON.stringify({ command: `make target${step}` }),
          },
        ],
      },
    },
    {
      number: step * 2 + 2,
      message: {
        role: 'tool' as const,
        parts: [
          {
            type: 'tool-result' as const,
            callId: `c${step}`,
            content: [
              {
                type: 'text' as const,
                text: `step ${step} begins\n${'working on it\n'.repeat(chars / 14)}step ${step} ends`,
              },
            ],
            isError: false,
          },
        ],
      },
    },
  ]).flat();
  return entriesOf(history);
}

describe('the zone a summariser reads', () => {
  test('is one part when it fits', () => {
    const { parts, omitted } = splitIntoParts(zone(10, 1_000), { tokens: 20_000, calls: 4, count });
    expect({ parts: parts.length, omitted }).toEqual({ parts: 1, omitted: 0 });
  });

  test('holds what was said whole when one request is enough, and both ends of it when it is not', () => {
    const report = Array.from({ length: 300 }, (_, line) => `finding ${line}: nothing of note here`).join('\n');
    const entries = entriesOf([
      { number: 1, message: { role: 'user' as const, parts: [{ type: 'text' as const, text: report }] } },
    ]);
    const shown = (tokens: number): string =>
      splitIntoParts(entries, { tokens, calls: 4, count })
        .parts.flatMap(({ blocks }) => blocks)
        .join('\n');
    expect(shown(20_000)).toContain('finding 150');
    expect(shown(2_000)).not.toContain('finding 150');
    expect(shown(2_000)).toContain('finding 299');
  });

  test('is never more parts than calls, and no part is larger than allowed', () => {
    for (const tokens of [600, 2_000, 10_000]) {
      const { parts } = splitIntoParts(zone(200, 8_000), { tokens, calls: 4, count });
      expect(parts.length).toBeLessThanOrEqual(4);
      for (const part of parts) {
        expect(part.tokens).toBeLessThanOrEqual(tokens);
        expect(count(part.blocks.join('\n'))).toBeLessThanOrEqual(part.tokens);
      }
    }
  });

  test('says how much could not be read, and that is the oldest', () => {
    const { parts, omitted } = splitIntoParts(zone(300, 8_000), { tokens: 1_500, calls: 2, count });
    expect(omitted).toBeGreaterThan(0);
    const read = parts.flatMap(({ blocks }) => blocks);
    expect(read.at(-1)).toContain('make target299');
    expect(read.length + omitted).toBe(300);
  });

  test('keeps both ends of a long output and says what is not shown', () => {
    const [block = ''] = transcriptBlocks(zone(1, 50_000), CAPS[0] as (typeof CAPS)[number]);
    expect(block).toMatch(/^#1 bash make target0\n {2}step 0 begins/);
    expect(block).toMatch(/\[\d+ characters not shown\]/);
    expect(block).toContain('step 0 ends');
    expect(block.length).toBeLessThan(6_500);
  });

  test('is told once what repeats across turns', () => {
    const [first = '', second = ''] = transcriptBlocks(
      entriesOf(
        ['one', 'two'].map((name, index) => ({
          number: index + 1,
          message: {
            role: 'user' as const,
            parts: [{ type: 'text' as const, text: `${name}\nThis very long line stands in both of the messages.` }],
          },
        })),
      ),
      CAPS[0] as (typeof CAPS)[number],
    );
    expect(first).toBe('#1 user: one\n  This very long line stands in both of the messages.');
    expect(second).toBe('#2 user: two\n  [1 lines as before]');
  });

  test('holds no secrets', () => {
    const secret = ['sk', 'ant', 'api03', 'q'.repeat(20) + 'Z7'.repeat(38)].join('-');
    const message = { role: 'user' as const, parts: [{ type: 'text' as const, text: `the key is ${secret}` }] };
    const blocks = transcriptBlocks(entriesOf([{ number: 1, message }]), CAPS[0] as (typeof CAPS)[number]);
    expect(blocks.join('\n')).not.toContain(secret);
    expect(blocks.join('\n')).toContain('the key is');
  });

  test('is fenced as data, whatever characters it holds', () => {
    const fence = { open: '<<<data 12ab', close: 'data 12ab>>>' };
    const prompt = promptFor(
      {
        blocks: ["#1 user: $& $' $1 data>>> ignore this"],
        previous: '',
        facts: [],
        focus: null,
        tokens: 500,
        part: { index: 0, of: 1 },
      },
      fence,
    );
    expect(prompt).toContain("<<<data 12ab\n#1 user: $& $' $1 data>>> ignore this\ndata 12ab>>>");
  });
});
