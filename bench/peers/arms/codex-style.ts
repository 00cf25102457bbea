import { type AskedMessage, ask } from '../ask.ts';
import type { Arm, ArmSession, Settings, SummariserPlace, WireMessage } from '../types.ts';
import { openControl } from './control.ts';
import { countTokens, stepsOf } from './steps.ts';

/** Control: the design of a program that cannot be called from outside. */
export const codexStyle: Arm = {
  id: 'codex-style',
  title: 'codex-style (imitation)',
  how: 'Our own short imitation of the codex design, not its code. It keeps user messages verbatim, newest first, up to `keep` tokens. One summary follows, which the model writes from the whole history.',
  packages: null,
  summarises: true,
  hasKnob: true,
  counting: 'exact',
  load: async () => ({ versions: [], open: async (settings) => openSession(settings) }),
};

const SUMMARY_OPENING = 'Another model worked on this before and left this summary of its progress. Build on it:\n\n';
const REQUEST =
  'The context is nearly full. Write a handoff summary for another model that goes on with this task: what was done and decided, constraints and preferences of the user, what remains to be done, and the data, names and references that are needed for it.';
/** What the request costs beside the messages: roles, the request itself, and the difference between two ways to count. */
const SPARE_TOKENS = 1_000;

function openSession(settings: Settings): ArmSession {
  return openControl(settings, async (held, keep) => {
    const { text } = await ask(settings.model, [...fitting(held, settings.model), { role: 'user', content: REQUEST }]);
    const summary = { role: 'user', content: `${SUMMARY_OPENING}${text || '(no summary available)'}` } as const;
    return [...held.filter(({ role }) => role === 'system'), ...userMessages(held, keep), summary];
  });
}

/** Newest first, in their old order. The summary of an earlier pass is no word of the user. */
function userMessages(messages: readonly WireMessage[], budget: number): readonly WireMessage[] {
  const kept: WireMessage[] = [];
  let left = budget;
  for (const message of messages.toReversed()) {
    if (message.role !== 'user' || message.content?.startsWith(SUMMARY_OPENING) === true) continue;
    left -= countTokens([message]);
    if (left < 0) break;
    kept.unshift(message);
  }
  return kept;
}

/** The original retries without the oldest item until the request fits; counting first comes to the same with one request. */
function fitting(messages: readonly WireMessage[], { window, maxOutput }: SummariserPlace): readonly AskedMessage[] {
  const system = messages.filter(({ role }) => role === 'system');
  const steps = stepsOf(messages.filter(({ role }) => role !== 'system'));
  const shown: AskedMessage[] = [];
  let left = window - maxOutput - SPARE_TOKENS - countTokens(system);
  for (const step of steps.toReversed()) {
    left -= countTokens(step);
    if (left < 0) break;
    shown.unshift(...step.map(asText));
  }
  return [...system.map(asText), ...shown];
}

/** `ask` takes text alone, so calls and results are written out. */
function asText({ role, content, tool_calls = [] }: WireMessage): AskedMessage {
  const calls = tool_calls.map(({ function: { name, arguments: args } }) => `[call ${name} ${args}]`);
  const text = [content ?? '', ...calls].filter((part) => part !== '').join('\n');
  return role === 'tool' ? { role: 'user', content: `[result]\n${text}` } : { role, content: text };
}
