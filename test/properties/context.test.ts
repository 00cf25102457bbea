/** Whatever is done to a context, a process that is started again between any two steps sees the same, and nothing is lost. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Context } from '../../src/context/context.ts';
import { openContext } from '../../src/context/open.ts';
import { memoryStore } from '../../src/context/store/memory-store.ts';
import type { Store } from '../../src/context/store/store.ts';
import { allText } from '../../src/core/conversation/message.ts';
import { refsIn } from '../../src/core/conversation/ref.ts';
import { anthropicTurn, SYSTEM, turn, type Wire } from '../agent-wire.ts';

type Step =
  | { readonly type: 'append'; readonly lines: number; readonly cut: number }
  | { readonly type: 'prepare' | 'undo' | 'all' | 'pin' }
  | { readonly type: 'compact'; readonly target: number }
  | { readonly type: 'observe'; readonly share: number }
  | { readonly type: 'restore'; readonly which: number }
  | { readonly type: 'back'; readonly share: number };

const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        type: fc.constant('append'),
        lines: fc.integer({ min: 0, max: 90 }),
        cut: fc.integer({ min: 1, max: 4 }),
      }),
    },
    { weight: 5, arbitrary: fc.record({ type: fc.constantFrom('prepare', 'undo', 'all', 'pin') }) },
    { weight: 3, arbitrary: fc.record({ type: fc.constant('compact'), target: fc.integer({ min: 600, max: 4_000 }) }) },
    {
      weight: 2,
      arbitrary: fc.record({ type: fc.constant('observe'), share: fc.double({ min: 0.3, max: 4, noNaN: true }) }),
    },
    { weight: 1, arbitrary: fc.record({ type: fc.constant('restore'), which: fc.nat(5) }) },
    {
      weight: 1,
      arbitrary: fc.record({ type: fc.constant('back'), share: fc.double({ min: 0, max: 1, noNaN: true }) }),
    },
  ) as fc.Arbitrary<Step>,
  { minLength: 3, maxLength: 30 },
);

const open = (store: Store): Promise<Context> =>
  openContext({ id: 'a', store, window: 7_000, now: () => 5, trim: { tokens: 900 } });

/** One step, on a context and on the list that a host would hold of it. */
async function take(context: Context, step: Step, n: number, said: Wire[], make: typeof turn): Promise<void> {
  switch (step.type) {
    case 'append': {
      // A turn may break off: the call is never answered, or the answer never given.
      const wire = make(n, step.lines).slice(0, step.cut);
      said.push(...wire);
      await context.append(wire);
      return;
    }
    case 'prepare':
      await context.prepare();
      return;
    case 'compact':
      await context.compact({ target: step.target });
      return;
    case 'observe':
      await context.observe({
        prompt_tokens: Math.round(context.metrics().view.tokens * step.share),
        completion_tokens: 1,
      });
      return;
    case 'undo':
      await context.undo();
      return;
    case 'all':
      await context.restore(null);
      return;
    case 'restore': {
      const id = context.compactions()[step.which]?.id;
      if (id !== undefined) await context.restore(id);
      return;
    }
    case 'pin':
      await context.pin(1 + (n % (context.conversation().history?.length ?? 1)));
      return;
    case 'back': {
      const keep = Math.max(1, Math.floor(said.length * step.share));
      said.splice(keep);
      await context.apply([...said]);
    }
  }
}

test.each([
  ['OpenAI chat', turn],
  ['Anthropic', anthropicTurn],
] as const)('a context of %s messages is the same after every restart', async (_name, make) => {
  await fc.assert(
    fc.asyncProperty(steps, async (list) => {
      const [plainStore, store] = [memoryStore(), memoryStore()];
      const plain = await open(plainStore);
      let restarted = await open(store);
      const first = make === turn ? [SYSTEM] : [{ role: 'user', content: 'Look after the runs. Never delete a log.' }];
      const lists: [Wire[], Wire[]] = [[...first], [...first]];
      await plain.append(first);
      await restarted.append(first);
      const shown = new Set<string>();
      for (const [n, step] of list.entries()) {
        await take(plain, step, n, lists[0], make);
        await take(restarted, step, n, lists[1], make);
        await restarted.close();
        restarted = await open(store);
        const views = [plain, restarted].map((context) => context.conversation());
        expect(JSON.stringify(views[1]?.messages)).toBe(JSON.stringify(views[0]?.messages));
        expect(restarted.metrics()).toEqual(plain.metrics());
        for (const message of views[0]?.messages ?? []) for (const ref of refsIn(allText(message))) shown.add(ref);
        const { fits, tokens } = await plain.prepare();
        await restarted.prepare();
        if (fits) expect(tokens).toBeLessThanOrEqual(7_000);
      }
      for (const ref of shown) expect(restarted.original(ref), ref).not.toBeNull();
      await plain.close();
      await restarted.close();
    }),
    { numRuns: 60 },
  );
});
