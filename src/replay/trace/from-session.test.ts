import { describe, expect, test } from 'vitest';
import { call, result, text } from '../../../test/replay/support.ts';
import type { Message } from '../../core/conversation/message.ts';
import { type TraceRecord, traceOf } from './from-session.ts';

const count = (words: string): number => words.length;
const source = (messages: readonly Message[], records: readonly TraceRecord[] = [], envelope?: unknown) => ({
  name: 'a',
  conversation: { format: 'openai-chat', messages, ...(envelope === undefined ? {} : { envelope }) },
  records,
});

describe('a trace', () => {
  test('has a request for each assistant message, with what was added since the one before', () => {
    const messages = [
      text('system', 'be kind'),
      text('user', 'hi'),
      call('1', 'read', {}),
      result('1', 'x'),
      text('assistant', 'done'),
      text('user', 'thanks'),
    ];
    const { requests, tokens } = traceOf(source(messages), { count });
    expect(requests.map(({ from, to }) => [from, to])).toEqual([
      [0, 2],
      [2, 4],
    ]);
    // Words, and four tokens around each message.
    expect([tokens[0], tokens[1]]).toEqual([7 + 4, 2 + 4]);
    expect(requests[1]?.outputTokens).toBe(4 + 4);
  });

  test('may not be cut while calls are unanswered', () => {
    const messages = [
      text('user', 'go'),
      call('1', 'a', {}),
      call('2', 'b', {}),
      result('2', 'x'),
      text('assistant', 'y'),
    ];
    const { requests } = traceOf(source(messages), { count });
    expect(requests.map(({ isLegalCut }) => isLegalCut)).toEqual([true, false, true]);
  });

  test('takes times from the log: a request leaves when the message before it is there', () => {
    const messages = [text('user', 'a'), text('assistant', 'b'), text('user', 'c'), text('assistant', 'd')];
    const stamps = ['10:00:00', '10:00:20', '10:05:00', '10:05:30'].map((time) => ({
      timestamp: `2026-01-01T${time}Z`,
    }));
    const timed = traceOf(source(messages, stamps), { count });
    expect(timed.requests.map(({ at }) => at)).toEqual([0, 300_000]);
    expect(timed.hasTimes).toBe(true);
  });

  test('assumes a pace where the log has no times, and says so', () => {
    const messages = [text('user', 'a'), text('assistant', 'b'), text('user', 'c'), text('assistant', 'd')];
    const assumed = traceOf(source(messages), { count, pace: 45_000 });
    expect(assumed.requests.map(({ at }) => at)).toEqual([0, 45_000]);
    expect(assumed.hasTimes).toBe(false);
  });

  test('learns from recorded usage how a provider counts, and what stands beside the messages', () => {
    const messages = Array.from({ length: 10 }, (_, index) =>
      text(index % 2 === 0 ? 'user' : 'assistant', 'x'.repeat(96)),
    );
    // Counted 100 a message; the provider counts 120, and 5,000 of prompt and tools.
    const records = messages.map((_, index): TraceRecord => {
      const usage = { inputTokens: 5_000 + 120 * index, cachedInputTokens: 0, cacheWriteTokens: 0, outputTokens: 7 };
      return index % 2 === 0 ? {} : { usage };
    });
    const trace = traceOf(source(messages, records), { count });
    expect(trace.factor).toBe(1.2);
    expect(trace.tokens[0]).toBe(120);
    expect(trace.fixedTokens).toBe(5_000);
    expect(trace.requests[0]?.outputTokens).toBe(7);
    expect(trace.requests[0]?.recorded?.inputTokens).toBe(5_120);
  });

  test('counts the tools of a request without usage', () => {
    const tools = [{ name: 'read' }];
    const { fixedTokens } = traceOf(source([text('user', 'a'), text('assistant', 'b')], [], { tools }), { count });
    expect(fixedTokens).toBe(JSON.stringify(tools).length);
  });
});
