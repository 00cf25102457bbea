import fc from 'fast-check';
import { describe, it } from 'vitest';
import { compact } from '../../src/index.ts';
import { playSignedLoop, type Stage } from './signed-reasoning-loop.ts';
import { SIGNED_WIRES } from './signed-reasoning-provider.ts';
import { signedScripts } from './signed-reasoning-script.ts';
import { check, FORMATS } from './support.ts';

/** Milliseconds, on a machine that may be shared. */
const TIMEOUT = 120_000;
const loops = signedScripts({ turns: 3, steps: 9, windows: [4_000, 14_000], reminders: true });

/** What a host may do to a context between any two requests, also in the middle of a turn. */
const TRICKS: Readonly<Record<string, (stage: Stage, number: number) => Promise<void>>> = {
  async undo({ context, check: accept }) {
    const prepared = await context().undo();
    if (prepared !== null) accept(prepared, 'undo');
  },
  async restore({ context, check: accept }, number) {
    const views = context().compactions();
    const id = views[number % (views.length + 1)]?.id ?? null;
    accept(await context().restore(id), `restore ${id}`);
  },
  async pin({ context }, number) {
    await context().pin(1 + (number % context().viewOf(null).length));
  },
  async model({ context, check: accept }, number) {
    accept(await context().useModel(number % 2 === 0 ? 'narrow' : 'wide'), 'useModel');
  },
  async compact({ context, check: accept }, number) {
    accept(await context().compact({ target: 1_200 + number * 60 }), 'compact');
  },
  async accept({ context, wire }, number) {
    const openReasoning = number % 2 === 0 ? 'strip' : 'refuse';
    const own = await compact(context().conversation(), FORMATS[wire], { target: 1_200 + number * 60, openReasoning });
    await context().accept(own);
  },
  async reopen({ reopen }) {
    await reopen();
  },
};

const meddlings = fc.array(
  fc.record({ at: fc.nat(14), trick: fc.constantFrom(...Object.keys(TRICKS)), number: fc.nat(40) }),
  {
    minLength: 1,
    maxLength: 12,
  },
);

describe('signed reasoning', () => {
  for (const wire of SIGNED_WIRES)
    it(`is accepted whatever the host does in between: ${wire}`, { timeout: TIMEOUT }, () =>
      check(
        fc.asyncProperty(loops, meddlings, async (script, meddling) => {
          await playSignedLoop({
            wire,
            script,
            options: { trim: { tokens: 300 } },
            async meddle(stage, at) {
              for (const each of meddling) if (each.at === at) await TRICKS[each.trick]?.(stage, each.number);
            },
            look: () => {},
          });
        }),
        20,
      ),
    );
});
