import type { Arm, ArmSession, Settings, WireMessage } from '../types.ts';
import { countTokens, newestWithin } from './steps.ts';

/** Control: what most agents do that have no compaction. */
export const truncation: Arm = {
  id: 'truncation',
  title: 'truncation',
  how: 'A control of ours: the system message, the first user message and the newest whole steps within `keep`, counted exactly; no model.',
  packages: null,
  summarises: false,
  hasKnob: true,
  counting: 'exact',
  load: async () => ({
    versions: [],
    open: async (settings) => openControl(settings, (held, keep) => newestWithin(held, keep)),
  }),
};

/** A session whose compaction is a function of the messages: the same array says that there was nothing to do. */
export function openControl(
  { keep }: Settings,
  shorten: (held: readonly WireMessage[], keep: number) => readonly WireMessage[],
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
      const shorter = shorten(held, keep);
      if (shorter === held) return 'skipped';
      held = shorter;
      return 'compacted';
    },
    view: () => held,
  };
}
