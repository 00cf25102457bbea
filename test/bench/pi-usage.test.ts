import { describe, expect, it } from 'vitest';
import { piMessages, piModel } from '../../bench/peers/arms/pi-messages.ts';
import { runningUsage } from '../../bench/peers/arms/pi-usage.ts';

const MODEL = piModel({ baseUrl: '', apiKey: '', modelId: 'scripted', window: 200_000, maxOutput: 8192 });
const MESSAGES = piMessages(
  [
    { role: 'user', content: 'Fix it.' },
    { role: 'assistant', content: 'Done.' },
    { role: 'user', content: 'Thanks.' },
    { role: 'assistant', content: 'Gladly.' },
  ],
  MODEL,
  1,
);

describe('usage of pi', () => {
  it('grows with the context, is told with answers alone, and starts anew after a compaction', () => {
    const usage = runningUsage(() => 10);
    const [user, first, , second] = MESSAGES.map((message) => usage.recorded(message));
    expect(user).toBe(MESSAGES[0]);
    expect(first).toMatchObject({ usage: { input: 10, output: 10, totalTokens: 20 } });
    expect(second).toMatchObject({ usage: { input: 30, output: 10, totalTokens: 40 } });
    usage.restart(['a summary']);
    expect(usage.recorded(MESSAGES[1]!)).toMatchObject({ usage: { totalTokens: 20 } });
  });
});
