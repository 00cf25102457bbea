import type { ArmSession, Settings, WireMessage } from '../types.ts';
import { countTokens } from './steps.ts';

/** A session whose compaction is a function of the messages: the same array says that there was nothing to do. */
export function openControl(
  { keep }: Settings,
  shorten: (held: readonly WireMessage[], keep: number) => readonly WireMessage[] | Promise<readonly WireMessage[]>,
): ArmSession {
  let held: readonly WireMessage[] = [];
  return {
    append: async (messages) => {
      held = [...held, ...messages];
    },
    prepare: async () => {
      countTokens(held);
    },
    compact: async () => {
      const shorter = await shorten(held, keep);
      if (shorter === held) return 'skipped';
      held = shorter;
      return 'compacted';
    },
    view: () => held,
  };
}
