import type { AsyncLaw } from '../law.ts';
import * as behave from '../model-server/behaviours.ts';
import type { Behaviour } from '../model-server/reply.ts';
import type { Ask } from './ask.ts';
import { mustFail, mustHold, mustSay } from './outcome-checks.ts';

const ABORTS_WITHIN_MS = 1000;

export function abortLaws(ask: Ask): readonly AsyncLaw[] {
  const aborts = (name: string, behaviour: Behaviour, afterMs: number): AsyncLaw => ({
    name: `aborting ${name} ends the request at once`,
    run: async () => {
      const controller = new AbortController();
      let abortedAt = Date.now();
      const abort = (): void => {
        abortedAt = Date.now();
        controller.abort();
      };
      if (afterMs === 0) abort();
      else setTimeout(abort, afterMs);
      mustFail(await ask(behaviour, { signal: controller.signal }), ['aborted']);
      const took = Date.now() - abortedAt;
      mustHold(took <= ABORTS_WITHIN_MS, `it took ${took} ms`);
    },
  });
  return [
    aborts('before the beginning', behave.answer('Too late.'), 0),
    aborts('before the first byte', behave.slow({ firstByteMs: 60_000 }), 60),
    aborts('a slow stream', behave.slow({ perChunkMs: 300, text: 'word '.repeat(200) }), 60),
    aborts('a stalled answer', behave.stall(), 60),
    {
      name: 'a signal that aborts after the answer changes nothing',
      run: async () => {
        const controller = new AbortController();
        const outcome = await ask(behave.answer('In time.'), { signal: controller.signal });
        controller.abort();
        mustSay(outcome, 'In time.');
      },
    },
  ];
}
