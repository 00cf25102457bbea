import { describe, expect, it } from 'vitest';
import type { Message, Part } from '../conversation/message.ts';
import { hasOpenReasoning, stripBoundReasoning } from './reasoning.ts';

const reasoning = (bound: boolean): Part => ({ type: 'reasoning', text: 'hm', bound });
const text: Part = { type: 'text', text: 'hi' };
const user: Message = { role: 'user', parts: [text] };
const says = (...parts: readonly Part[]): Message => ({ role: 'assistant', parts });

describe('stripBoundReasoning', () => {
  it('changes nothing when nothing was changed', () => {
    const messages = [user, says(reasoning(true), text)];
    expect(stripBoundReasoning(messages, -1)).toBe(messages);
  });

  it('takes all of it behind the first change and none before it', () => {
    const messages = [
      says(reasoning(true), text),
      user,
      says(reasoning(true), text),
      user,
      says(reasoning(true), text),
    ];
    const stripped = stripBoundReasoning(messages, 1);
    expect(stripped[0]).toBe(messages[0]);
    expect(stripped.slice(1).flatMap(({ parts }) => parts.map(({ type }) => type))).not.toContain('reasoning');
    expect(stripped).toHaveLength(5);
    expect(stripped[1]).toBe(user);
  });

  it('lets messages that held nothing else go, and reasoning that is not bound stay', () => {
    const unbound = says(reasoning(false), text);
    expect(stripBoundReasoning([user, says(reasoning(true)), unbound], 0)).toEqual([user, unbound]);
    expect(stripBoundReasoning([user, says(reasoning(true), reasoning(false))], 0)[1]?.parts).toEqual([
      reasoning(false),
    ]);
  });
});

describe('hasOpenReasoning', () => {
  const call: Part = { type: 'tool-call', callId: 'c', name: 'x', arguments: '{}' };
  const result: Message = { role: 'tool', parts: [{ type: 'tool-result', callId: 'c', content: [], isError: false }] };

  it('is true only while the turn that holds bound reasoning goes on', () => {
    expect(hasOpenReasoning([user, says(reasoning(true), call), result])).toBe(true);
    expect(hasOpenReasoning([user, says(reasoning(true), call)])).toBe(true);
    expect(hasOpenReasoning([user, says(reasoning(false), call), result])).toBe(false);
    expect(hasOpenReasoning([user, says(reasoning(true), call), result, says(text)])).toBe(false);
    expect(hasOpenReasoning([user, says(reasoning(true), text), user, says(call), result])).toBe(false);
    expect(hasOpenReasoning([])).toBe(false);
  });
});
