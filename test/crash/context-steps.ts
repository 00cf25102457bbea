/** What an agent does to its context, step by step: the same in a process that is killed and in one that is not. */

import type { Context } from '../../src/context/context.ts';
import { openContext } from '../../src/context/open.ts';
import type { Store } from '../../src/context/store/store.ts';
import { SYSTEM, turns } from '../agent-wire.ts';

export const openAgent = (store: Store): Promise<Context> =>
  openContext({ id: 'agent', store, window: 6_000, now: () => 1_000 });

export const STEPS: readonly ((context: Context) => Promise<unknown>)[] = [
  (context) => context.append([SYSTEM, ...turns(1, 5)]),
  (context) => context.prepare(),
  (context) => context.compact({ target: 1_200 }),
  (context) => context.append(turns(6, 9)),
  (context) => context.observe({ prompt_tokens: 3_000, completion_tokens: 10 }),
  (context) => context.compact({ target: 1_200 }),
  (context) => context.undo(),
  (context) => context.append(turns(10, 16)),
  (context) => context.prepare(),
  (context) => context.restore('c1'),
  (context) => context.append(turns(17, 18)),
];

/** The view as bytes, and how much was said. */
export function stateOf(context: Context, isEmpty: boolean): { readonly view: string; readonly said: number } {
  if (isEmpty) return { view: '[]', said: 0 };
  const { messages, history } = context.conversation();
  return { view: JSON.stringify(messages), said: history?.length ?? 0 };
}
