import { type Message, type TextPart, toolCallsOf, toolResultsOf } from '../message.ts';
import { isBareCommand } from './openings.ts';
import { withRepeats } from './repeats.ts';
import { hasWords, type Stretch } from './speaker.ts';
import { splitStretches } from './split.ts';

/** The stretches of each message, in the light of the others: some texts are only known by their place or because they come again. */
export function stretchesIn(messages: readonly Message[]): readonly (readonly Stretch[])[] {
  const alone = messages.map((message, index): readonly Stretch[] => {
    const own = stretchesOf(message);
    if (message.speaker !== undefined || own.length === 0) return own;
    if (isWorkedOn(messages, index)) return own.map((stretch) => ({ ...stretch, speaker: 'human' }));
    return followsSkill(messages, index) ? asRules(own) : own;
  });
  return withRepeats(alone);
}

/** The stretches of a user message, judged by itself; none for other messages. A host that names the speaker is believed. */
export function stretchesOf(message: Message): readonly Stretch[] {
  if (message.role !== 'user') return NONE;
  const known = memo.get(message);
  if (known !== undefined) return known;
  const texts = message.parts.filter((part): part is TextPart => part.type === 'text').map((part) => part.text);
  const stretches =
    message.speaker === undefined
      ? texts.flatMap(splitStretches)
      : texts.filter((text) => text.trim() !== '').map((text) => ({ speaker: message.speaker ?? 'human', text }));
  memo.set(message, stretches);
  return stretches;
}

/** True when a person says something in these stretches. */
export function isAsked(stretches: readonly Stretch[]): boolean {
  return stretches.some(({ speaker, text }) => speaker === 'human' && hasWords(text));
}

const NONE: readonly Stretch[] = [];
/** Messages never change, and several readers ask about each of them. */
const memo = new WeakMap<Message, readonly Stretch[]>();

function asRules(stretches: readonly Stretch[]): readonly Stretch[] {
  return stretches.map((stretch) => (stretch.speaker === 'human' ? { ...stretch, speaker: 'rules' } : stretch));
}

/** True for a bare command such as `/review` that the agent sets to work on: the host's own commands (`/clear`) lead to no calls. */
function isWorkedOn(messages: readonly Message[], index: number): boolean {
  const next = messages[index + 1];
  if (next === undefined || next.role !== 'assistant' || toolCallsOf(next).length === 0) return false;
  const { parts } = messages[index] as Message;
  return parts.length === 1 && isBareCommand(firstText(messages[index] as Message));
}

/** True for the text of a skill or a prompt command: it comes right behind the call or the command, before the assistant answers. */
function followsSkill(messages: readonly Message[], index: number): boolean {
  const before = messages[index - 1];
  if (before === undefined || /^\s*<command-/.test(firstText(messages[index] as Message))) return false;
  if (before.role === 'user') return /^\s*<command-message>/.test(firstText(before));
  const [result] = toolResultsOf(before);
  if (result === undefined) return false;
  for (let at = index - 2; at >= 0; at--) {
    const calls = toolCallsOf(messages[at] as Message);
    if (calls.length > 0) return calls.some(({ callId, name }) => callId === result.callId && /^skill$/i.test(name));
    if (toolResultsOf(messages[at] as Message).length === 0) return false;
  }
  return false;
}

function firstText(message: Message): string {
  return message.parts.find((part) => part.type === 'text')?.text ?? '';
}
