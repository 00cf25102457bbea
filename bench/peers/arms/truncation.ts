import type { Arm } from '../types.ts';
import { openControl } from './control.ts';
import { newestWithin } from './steps.ts';

/** Control: what most agents do that have no compaction. */
export const truncation: Arm = {
  id: 'truncation',
  title: 'truncation',
  how: 'Our control. It keeps the system message, the first user message and the newest whole steps within `keep`, counted exactly. It calls no model.',
  packages: null,
  summarises: false,
  hasKnob: true,
  counting: 'exact',
  load: async () => ({
    versions: [],
    open: async (settings) => openControl(settings, (held, keep) => newestWithin(held, keep)),
  }),
};
