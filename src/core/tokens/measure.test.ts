import { describe, expect, test } from 'vitest';
import type { Message, Part } from '../conversation/message.ts';
import type { TokenCounter } from './counter.ts';
import { CALL_OVERHEAD_TOKENS, createMeasure, MESSAGE_OVERHEAD_TOKENS } from './measure.ts';

/** One token per character, and a list of what it was asked. */
function recordingCounter(): TokenCounter & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    id: 'recording',
    asked,
    count(text) {
      asked.push(text);
      return text.length;
    },
  };
}

function message(...parts: readonly Part[]): Message {
  return { role: 'assistant', parts };
}

const hello: Part = { type: 'text', text: 'hello' };

describe('measuring', () => {
  test('counts each message object once in its life', () => {
    const counter = recordingCounter();
    const measure = createMeasure(counter);
    const messages = [message(hello), message({ type: 'text', text: 'you' })];
    const first = measure.messages(messages);
    expect(measure.messages(messages)).toBe(first);
    expect(measure.conversation({ format: 'test', messages })).toBe(first);
    expect(measure.message(messages[0]!)).toBe(5 + MESSAGE_OVERHEAD_TOKENS);
    expect(counter.asked).toEqual(['hello', 'you']);
  });

  test('of a longer conversation costs only the new messages', () => {
    const counter = recordingCounter();
    const measure = createMeasure(counter);
    const messages = Array.from({ length: 500 }, () => message(hello));
    measure.messages(messages);
    counter.asked.length = 0;
    measure.messages([...messages, message({ type: 'text', text: 'new' })]);
    expect(counter.asked).toEqual(['new']);
  });

  test('counts an edited message anew', () => {
    const measure = createMeasure(recordingCounter());
    expect(measure.message(message(hello))).toBe(5 + MESSAGE_OVERHEAD_TOKENS);
    expect(measure.message(message({ type: 'text', text: 'hi' }))).toBe(2 + MESSAGE_OVERHEAD_TOKENS);
  });

  test('counts the envelope of tool calls and results', () => {
    const measure = createMeasure(recordingCounter());
    const call = message({ type: 'tool-call', callId: 'id', name: 'read', arguments: '{}' });
    expect(measure.message(call)).toBe(2 + 4 + 2 + CALL_OVERHEAD_TOKENS + MESSAGE_OVERHEAD_TOKENS);
    const result = message({ type: 'tool-result', callId: 'id', content: [hello, hello], isError: false });
    expect(measure.message(result)).toBe(2 + 10 + CALL_OVERHEAD_TOKENS + MESSAGE_OVERHEAD_TOKENS);
  });

  test('counts media by size, never by the length of their data', () => {
    const counter = recordingCounter();
    const measure = createMeasure(counter);
    const url = `data:image/png;base64,${'A'.repeat(1_000_000)}`;
    const image: Part = { type: 'image', mediaType: 'image/png', width: 64, height: 64, url, detail: 'auto' };
    expect(measure.message(message(image))).toBe(255 + MESSAGE_OVERHEAD_TOKENS);
    const file: Part = { type: 'file', name: 'a.pdf', mediaType: 'application/pdf', bytes: 4_001 };
    expect(measure.message(message(file))).toBe(1_001 + MESSAGE_OVERHEAD_TOKENS);
    expect(counter.asked).toEqual([]);
  });

  test('counts reasoning and parts it does not know', () => {
    const measure = createMeasure(recordingCounter());
    expect(measure.message(message({ type: 'reasoning', text: 'hmm', bound: true }))).toBe(3 + MESSAGE_OVERHEAD_TOKENS);
    const opaque: Part = { type: 'opaque', kind: 'audio', json: '{"a":1}' };
    expect(measure.message(message(opaque))).toBe(7 + MESSAGE_OVERHEAD_TOKENS);
  });

  test('applies the factor of a model, rounded up', () => {
    const measure = createMeasure(recordingCounter(), 1.3);
    expect(measure.text('hello')).toBe(7);
    expect(measure.message(message(hello))).toBe(Math.ceil(9 * 1.3));
  });

  test('of an empty message is its overhead', () => {
    expect(createMeasure(recordingCounter()).message(message())).toBe(MESSAGE_OVERHEAD_TOKENS);
  });
});
