import type { Arm, WireMessage } from '../types.ts';
import { openControl } from './control.ts';
import { newestWithin } from './steps.ts';

const UNTOUCHED_MESSAGES = 6;
const PLACEHOLDER = '[Old tool output removed]';

/** Control: the cheap policy that nearly matches good compactors where there is room for the text. */
export const textOnly: Arm = {
  id: 'text-only',
  title: 'keep text, drop old tool output',
  how: 'Our control. It replaces tool output before the newest 6 messages with a placeholder, then drops the oldest steps after the first user message until `keep` is reached. It calls no model.',
  packages: null,
  summarises: false,
  hasKnob: true,
  counting: 'exact',
  load: async () => ({
    versions: [],
    open: async (settings) => openControl(settings, (held, keep) => newestWithin(withoutOldOutput(held), keep)),
  }),
};

/** Pairs stay: only the words of a result go. Same array: there was no old output left. */
function withoutOldOutput(messages: readonly WireMessage[]): readonly WireMessage[] {
  const old = messages.length - UNTOUCHED_MESSAGES;
  const isStale = ({ role, content }: WireMessage, index: number): boolean =>
    role === 'tool' && index < old && (content?.length ?? 0) > PLACEHOLDER.length;
  if (!messages.some(isStale)) return messages;
  return messages.map((message, index) => (isStale(message, index) ? { ...message, content: PLACEHOLDER } : message));
}
