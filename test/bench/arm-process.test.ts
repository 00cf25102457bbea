import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startArm } from '../../bench/peers/arm-process.ts';
import { countTokens } from '../../bench/peers/arms/steps.ts';
import { unsoundness } from '../../bench/peers/sound.ts';
import { SILENT, type Summariser, startSummariser } from '../../bench/peers/summariser.ts';
import { textOfView } from '../../bench/peers/text.ts';
import type { WireMessage } from '../../bench/peers/types.ts';
import { SYSTEM, turns } from '../agent-wire.ts';

const TASK: WireMessage = { role: 'user', content: 'Never delete run 3. Tell me about all runs.' };
const SESSION = [SYSTEM, TASK, ...turns(1, 14)] as readonly WireMessage[];
const NEXT = turns(15, 15) as unknown as readonly WireMessage[];
const WINDOW = 100_000;
const MEGABYTE = 1_048_576;

let summariser: Summariser;
beforeAll(async () => {
  summariser = await startSummariser();
});
afterAll(() => summariser.close());

describe('arms in processes of their own', () => {
  it.concurrent.each(['precis', 'precis-model', 'truncation'])('%s compacts, sound and smaller', async (id) => {
    const process = await startArm(id, '', summariser.place);
    try {
      const tokens = countTokens(SESSION);
      const keep = Math.round(tokens / 5);
      const chain = await process.chain({ parts: [SESSION], keep, window: WINDOW, wantsBefore: true });
      expect(chain.outcomes).toEqual(['compacted']);
      expect(chain.error).toBeNull();
      expect(chain.wholeMs).toBeGreaterThan(chain.ms);
      expect(chain.peakBytes).toBeNull();
      expect(unsoundness(chain.view)).toBeNull();
      expect(textOfView(chain.before)).toBe(textOfView(SESSION));
      expect(countTokens(chain.view)).toBeLessThanOrEqual(keep * 1.02);
      expect(textOfView(chain.view)).toContain('Never delete run 3');
      expect(textOfView(chain.view)).not.toContain(SILENT);
      const ms = await process.turns({
        before: SESSION,
        turns: [NEXT],
        keep: WINDOW,
        window: WINDOW,
      });
      expect(ms).toHaveLength(1);
    } finally {
      await process.stop();
    }
  });

  it('tells the memory of the compaction alone, however much the parent holds', async () => {
    const held = Buffer.alloc(400 * MEGABYTE, 1);
    const process = await startArm('truncation', '', summariser.place);
    try {
      const chain = await process.chain({ parts: [SESSION], keep: 500, window: WINDOW, wantsMemory: true });
      expect(chain.outcomes).toEqual(['compacted']);
      expect(chain.peakBytes).not.toBeNull();
      expect(chain.peakBytes).toBeLessThan(40 * MEGABYTE);
      expect(held).toHaveLength(400 * MEGABYTE);
    } finally {
      await process.stop();
    }
  });

  it('says why an arm cannot be loaded', async () => {
    await expect(startArm('langchain', '/nowhere', summariser.place)).rejects.toThrow(/nowhere/);
  });
});
