import { describe, expect, it } from 'vitest';
import type { Message, Part } from '../conversation/message.ts';
import { lastBoundOf, openTurnOf, stripBoundReasoning } from './reasoning.ts';

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

describe('openTurnOf', () => {
  const call: Part = { type: 'tool-call', callId: 'c', name: 'x', arguments: '{}' };
  const result: Message = { role: 'tool', parts: [{ type: 'tool-result', callId: 'c', content: [], isError: false }] };

  it('names the beginning of a turn only while it goes on and holds bound reasoning', () => {
    expect(openTurnOf([user, says(reasoning(true), call), result])).toBe(1);
    expect(openTurnOf([user, says(text), user, says(reasoning(true), call)])).toBe(3);
    expect(openTurnOf([user, says(reasoning(false), call), result])).toBeNull();
    expect(openTurnOf([user, says(reasoning(true), call), result, says(text)])).toBeNull();
    expect(openTurnOf([user, says(reasoning(true), text), user, says(call), result])).toBeNull();
    expect(openTurnOf([])).toBeNull();
  });

  it('takes a reminder of the host behind the results for no end of the turn', () => {
    const reminder: Message = { role: 'system', parts: [text] };
    expect(openTurnOf([user, says(reasoning(true), call), result, reminder])).toBe(1);
    expect(openTurnOf([user, says(reasoning(true), text), reminder])).toBeNull();
  });

  it('tells behind which message an edit breaks nothing', () => {
    expect(lastBoundOf([user, says(reasoning(true), call), result, says(call), result])).toBe(1);
    expect(lastBoundOf([user, says(text)])).toBe(-1);
  });
});
