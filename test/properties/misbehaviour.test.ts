import { describe, expect, it } from 'vitest';
import { compact } from '../../src/core/compact.ts';
import { append, type Conversation } from '../../src/core/conversation/conversation.ts';
import type { Message } from '../../src/core/conversation/message.ts';
import { allText } from '../../src/core/conversation/message.ts';
import { singleSummarizer } from '../../src/core/model.ts';
import { heuristicCounter } from '../../src/core/tokens/counter.ts';
import { createMeasure } from '../../src/core/tokens/measure.ts';
import { openaiChat } from '../../src/formats/index.ts';
import { behave, type Script, scriptedModel } from '../../src/testing/index.ts';
import { fixtures } from './support.ts';

/** Everything a summariser may do, and what the outcome must then be. */
const BEHAVIOURS: readonly (readonly [string, () => Script, 'used' | 'fell-back' | 'either'])[] = [
  ['answers well', () => behave.good, 'used'],
  ['forgets constraints and names', () => behave.forgetful, 'used'],
  ['lies', () => behave.lying, 'either'],
  ['presents old values as current', () => behave.stale, 'either'],
  ['follows orders in the transcript', () => behave.injected, 'either'],
  ['throws 500', () => behave.status(500), 'fell-back'],
  ['has no valid key', () => behave.status(401), 'fell-back'],
  ['has no credit', () => behave.quota, 'fell-back'],
  ['is rate limited', () => behave.status(429, { retryAfterSeconds: 3_600 }), 'fell-back'],
  ['is overloaded', () => behave.status(529), 'fell-back'],
  ['says that the request is too long', () => behave.overflow(8_000), 'fell-back'],
  ['says once that the request is too long', () => [behave.overflow(30_000), behave.good], 'used'],
  ['answers nothing', () => behave.empty, 'fell-back'],
  ['refuses', () => behave.refuse('en'), 'fell-back'],
  ['refuses in Chinese', () => behave.refuse('zh'), 'fell-back'],
  ['stops halfway', () => behave.truncated('## Goal\n- Put a limiter in (#2)\n- And then'), 'fell-back'],
  ['is stopped by a filter', () => behave.filtered, 'fell-back'],
  ['calls a tool instead', () => behave.toolCall(), 'fell-back'],
  ['repeats the prompt', () => behave.echo, 'fell-back'],
  ['writes half a million tokens', () => behave.huge(500_000), 'fell-back'],
  ['ignores the template', () => behave.ignoreTemplate, 'fell-back'],
  ['sends garbage', () => behave.garbage('html'), 'fell-back'],
  ['drops the connection', () => behave.dropMidStream(), 'fell-back'],
  ['refuses once, then answers well', () => [behave.refuse('de'), behave.good], 'used'],
];

const SITUATIONS = ['first compaction', 'chained compaction', 'near-full window'] as const;

describe('whatever a summariser does', () => {
  const measure = createMeasure(heuristicCounter);
  const [session] = fixtures();
  if (session === undefined) throw new Error('the fixtures are missing');
  const total = measure.conversation(session.conversation);
  const target = Math.round(total * 0.15);

  for (const [what, script, expected] of BEHAVIOURS)
    for (const situation of SITUATIONS)
      it(`${what}, ${situation}: sound, on target, nothing critical lost, few calls`, async () => {
        const model = scriptedModel(script(), { contextWindow: situation === 'near-full window' ? 12_000 : 200_000 });
        const before = await started(session.conversation, situation, target);
        const options = { target, window: total * 2, summarizer: singleSummarizer(model) };
        const { conversation, outcome, receipt } = await compact(before, openaiChat, options);
        const offline = await compact(before, openaiChat, { target, window: total * 2 });

        expect(openaiChat.check(conversation)).toEqual([]);
        expect(receipt.tokens.after).toBeLessThanOrEqual(target);
        expect(receipt.facts.lost).toBe(0);
        expect(receipt.facts.kept).toBeGreaterThanOrEqual(offline.receipt.facts.kept);
        expect(conversation.history?.length).toBe(session.conversation.messages.length);
        // Four parts, and one more try for each answer that could not be used.
        expect(model.requests.length).toBeLessThanOrEqual(8);
        expect(receipt.calls).toHaveLength(model.requests.length);
        if (expected === 'used') expect(['folded', 'repaired']).toContain(outcome);
        if (expected === 'fell-back') expect(outcome).toBe('fell-back');
        if (outcome === 'fell-back') expect(texts(conversation.messages)).toEqual(texts(offline.conversation.messages));
        for (const { prompt, instructions } of model.requests)
          expect(measure.text(prompt) + measure.text(instructions)).toBeLessThanOrEqual(model.contextWindow);
      });
});

/** The conversation before the compaction that counts: whole, or with an earlier handoff in it. */
async function started(
  conversation: Conversation,
  situation: (typeof SITUATIONS)[number],
  target: number,
): Promise<Conversation> {
  if (situation !== 'chained compaction') return conversation;
  const half = conversation.messages.findIndex(
    (message, index) => message.role === 'user' && index > conversation.messages.length / 2,
  );
  const first = { ...conversation, messages: conversation.messages.slice(0, half) };
  const options = { target, window: target * 20, summarizer: singleSummarizer(scriptedModel(behave.good)) };
  const { conversation: view } = await compact(first, openaiChat, options);
  return append(view, conversation.messages.slice(half));
}

function texts(messages: readonly Message[]): readonly string[] {
  return messages.map(allText);
}
