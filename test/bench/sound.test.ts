import { describe, expect, it } from 'vitest';
import { unsoundness } from '../../bench/peers/sound.ts';
import type { WireMessage } from '../../bench/peers/types.ts';

const USER: WireMessage = { role: 'user', content: 'Go on.' };
const call = (...ids: readonly string[]): WireMessage => ({
  role: 'assistant',
  content: null,
  tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: 'bash', arguments: '{}' } })),
});
const result = (id: string): WireMessage => ({ role: 'tool', tool_call_id: id, content: 'ok' });

describe('soundness', () => {
  it.each<readonly [string, readonly WireMessage[]]>([
    ['words', [USER, { role: 'assistant', content: 'Done.' }]],
    ['two calls, answered in another order', [USER, call('a', 'b'), result('b'), result('a')]],
    ['an id that comes again later', [USER, call('a'), result('a'), call('a'), result('a')]],
  ])('takes %s', (_, messages) => expect(unsoundness(messages)).toBeNull());

  it.each<readonly [string, readonly WireMessage[], string]>([
    ['a result alone', [USER, result('a')], 'message 2: a result without its call'],
    ['words before a result', [USER, call('a'), USER, result('a')], 'message 3: user before all calls were answered'],
    ['a call at the end', [USER, call('a')], 'calls without results at the end'],
    ['one id twice', [USER, call('a', 'a')], 'message 2: two calls with one id'],
    ['an empty message', [USER, { role: 'assistant', content: ' ' }], 'message 2: empty assistant message'],
    ['no word of the user', [{ role: 'system', content: 'Hi.' }], 'no message of the user'],
  ])('refuses %s', (_, messages, reason) => expect(unsoundness(messages)).toBe(reason));
});
