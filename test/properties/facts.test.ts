import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compact } from '../../src/core/compact.ts';
import { openaiChat } from '../../src/formats/index.ts';
import { build } from '../../src/testing/index.ts';
import { hugeResult, scripts } from './arbitraries.ts';
import { check, decoded, FORMAT_IDS, FORMATS, fixtures, lostFacts, readable, share, targetOf } from './support.ts';

describe('critical facts', () => {
  for (const id of FORMAT_IDS)
    it(`are in the view or behind a ref that stands in it, for ${FORMATS[id].title}`, { timeout: 60_000 }, () =>
      check(
        fc.asyncProperty(
          fc.oneof({ weight: 20, arbitrary: scripts() }, { weight: 1, arbitrary: hugeResult }),
          share,
          async (script, part) => {
            const conversation = decoded(id, script);
            const { conversation: after } = await compact(conversation, FORMATS[id], {
              target: targetOf(conversation, part),
            });
            expect(lostFacts(after).map(({ kind, text }) => `${kind}: ${text}`)).toEqual([]);
          },
        ),
        200,
      ),
    );

  for (const { name, conversation, format } of fixtures())
    for (const part of [0.05, 0.1, 0.2, 0.5, 0.8])
      it(`of the session ${name} are in the view or behind a ref at ${part * 100} %`, async () => {
        const { conversation: after } = await compact(conversation, format, { target: targetOf(conversation, part) });
        expect(lostFacts(after).map(({ kind, text }) => `${kind}: ${text}`)).toEqual([]);
      });

  it('survive in the view itself where a constraint is one line among long output', () =>
    check(
      fc.asyncProperty(
        fc.nat(1_000),
        fc.integer({ min: 12, max: 40 }),
        fc.integer({ min: 15, max: 60 }),
        async (seed, steps, percent) => {
          let session = build().system('You are careful.').user('Fix the limiter. Never log client ips.');
          for (let step = 0; step < steps; step++)
            session = session
              .call('bash', { command: `grep -n word${seed + step} src/*.ts` })
              .result(
                Array.from(
                  { length: 30 },
                  (_, line) => `src/f${line}.ts:${seed + line}: const a${step} = ${line};`,
                ).join('\n'),
              );
          const conversation = session
            .user('The limit is 250 per minute, and do not touch the migration.')
            .assistant('Done.')
            .user('Go on.')
            .decode(openaiChat);
          const { conversation: after, outcome } = await compact(conversation, openaiChat, {
            target: Math.max(800, targetOf(conversation, percent / 100)),
          });
          expect(outcome).not.toBe('refused');
          const text = readable(after.messages);
          for (const constraint of [
            'Never log client ips',
            'The limit is 250 per minute, and do not touch the migration',
          ])
            expect(text).toContain(constraint);
        },
      ),
      60,
    ));
});
