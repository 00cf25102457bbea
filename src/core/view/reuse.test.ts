import { describe, expect, it } from 'vitest';
import type { Message } from '../conversation/message.ts';
import { reuseMessages } from './reuse.ts';

const said = (text: string): Message => ({ role: 'assistant', parts: [{ type: 'text', text }] });

describe('reuseMessages', () => {
  it('takes the old message where the new one says the same', () => {
    const old = said('short');
    expect(reuseMessages([old], [said('short')])[0]).toBe(old);
  });

  it('leaves a message that stays itself, though another reads the same', () => {
    const [one, other] = [said('ok'), said('ok')];
    expect(reuseMessages([one, said('x'), other], [other, one]).map((message) => message === other)).toEqual([
      true,
      false,
    ]);
  });
});
