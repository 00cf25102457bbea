/** What the bench beside others rests on: a model that says what matters, in quotes or briefly in its own words, is believed. */
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { partsOf } from '../../bench/peers/parts.ts';
import { loadSessions } from '../../bench/peers/sessions.ts';
import { inOwnWords, perfectSummary, type Tell } from '../../bench/peers/summariser.ts';
import { textOfView } from '../../bench/peers/text.ts';
import type { BenchSession, WireMessage } from '../../bench/peers/types.ts';
import { compact } from '../../src/core/compact.ts';
import { append, type Conversation } from '../../src/core/conversation/conversation.ts';
import { singleSummarizer } from '../../src/core/model.ts';
import { createMeasure } from '../../src/core/tokens/measure.ts';
import { openaiChat } from '../../src/formats/index.ts';
import { o200k } from '../../src/models/o200k.ts';
import { behave, scriptedModel } from '../../src/testing/index.ts';

interface Asked {
  /** Size of the view as a share of the session. */
  readonly share: number;
  readonly passes: number;
  readonly tell: Tell | undefined;
}

async function keptOf({ messages, facts }: BenchSession, { share, passes, tell }: Asked): Promise<number> {
  const model = scriptedModel(
    behave.answer(({ instructions, prompt }) => perfectSummary(`${instructions}\n${prompt}`, facts, 16_000, tell)),
  );
  const whole = openaiChat.decode(messages).conversation;
  const target = Math.round(createMeasure(o200k).conversation(whole) * share);
  let view: Conversation = { ...whole, messages: [] };
  let wire: unknown = null;
  for (const part of partsOf(messages, passes)) {
    const said = append(view, openaiChat.decode(part).conversation.messages);
    const options = { target, counter: o200k, window: 200_000, summarizer: singleSummarizer(model) };
    const { conversation } = await compact(said, openaiChat, options);
    view = conversation;
    wire = openaiChat.encode(conversation);
  }
  const text = textOfView(
    Array.isArray(wire) ? wire : (wire as { readonly messages: readonly WireMessage[] }).messages,
  );
  return facts.filter(({ needles }) => needles.every((needle) => text.includes(needle))).length;
}

async function shipped(name: string): Promise<BenchSession> {
  const [session] = await loadSessions(fileURLToPath(new URL(`../../fixtures/${name}`, import.meta.url)), () => {});
  if (session === undefined) throw new Error('expected one session');
  return session;
}

describe.each<[string, Tell | undefined]>([
  ['that quotes', undefined],
  ['in its own words', inOwnWords],
])('a perfect summary %s', (_how, tell) => {
  for (const name of ['weekly-jobs', 'triage-pr'])
    it(`is kept whole in views of a fifth, after one compaction and after five: ${name}`, async () => {
      const session = await shipped(name);
      const kept = (passes: number): Promise<number> => keptOf(session, { share: 0.2, passes, tell });
      expect([await kept(1), await kept(5)]).toEqual([session.facts.length, session.facts.length]);
    });

  it('is not given up for quotes of which it takes the place', async () => {
    const session = await shipped('incident');
    expect(await keptOf(session, { share: 0.14, passes: 1, tell })).toBe(session.facts.length);
  });
});
