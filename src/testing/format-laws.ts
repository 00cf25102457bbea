import type { Conversation } from '../core/conversation/conversation.ts';
import { withMessages } from '../core/conversation/conversation.ts';
import { type Message, type Part, type TextPart, withParts, withText } from '../core/conversation/message.ts';
import { checkSound, type SoundConversation } from '../core/conversation/sound.ts';
import type { Format } from '../core/format.ts';
import { type Law, must, withoutWire } from './law.ts';

/** Everything that a format owes the engine, checked on sound wire values of that format. */
export function formatLaws(format: Format, samples: readonly unknown[]): readonly Law[] {
  return samples.flatMap((wire, index) => {
    const law = (name: string, run: () => void): Law => ({ name: `${format.id}, sample ${index}: ${name}`, run });
    return [
      law('is recognised', () => must(format.detect(wire) > 0, 'detect gave 0')),
      law('a sound conversation needs no mending', () => {
        const { notes } = format.decode(wire);
        must(notes.length === 0, `notes: ${JSON.stringify(notes)}`);
      }),
      law('what is decoded is sound', () => void sound(format, format.decode(wire).conversation)),
      law('encoding an unedited conversation gives back the wire value itself', () => {
        must(format.encode(sound(format, format.decode(wire).conversation)) === wire, 'another value');
      }),
      law('decoding leaves the wire value as it was', () => {
        const before = JSON.stringify(wire);
        format.encode(sound(format, format.decode(wire).conversation));
        must(JSON.stringify(wire) === before, 'the value changed');
      }),
      law('editing one text keeps every other message by reference', () => editEachText(format, wire)),
      law('an edited conversation is read back with the edit', () => readBack(format, wire)),
      law('parts of an edited message that are not edited survive by reference', () => keepParts(format, wire)),
      law('a new user message is written and read back', () => appendUser(format, wire)),
    ];
  });
}

const EDITED_TEXT = 'Edited by a law.';

function editEachText(format: Format, wire: unknown): void {
  const { conversation } = format.decode(wire);
  conversation.messages.forEach((message, index) => {
    const edited = editText(message);
    if (edited === null) return;
    const encoded = format.encode(sound(format, replaceAt(conversation, index, edited)));
    const again = format.decode(encoded).conversation.messages;
    must(encoded !== wire, `message ${index}: the edit was lost`);
    must(again.length === conversation.messages.length, `message ${index}: the number of messages changed`);
    again.forEach((other, at) => {
      must(
        at === index || other.raw === conversation.messages[at]?.raw,
        `message ${index}: message ${at} is another object`,
      );
    });
  });
}

function readBack(format: Format, wire: unknown): void {
  const { conversation } = format.decode(wire);
  conversation.messages.forEach((message, index) => {
    const edited = editText(message);
    if (edited === null) return;
    const { conversation: again, notes } = format.decode(
      format.encode(sound(format, replaceAt(conversation, index, edited))),
    );
    must(notes.length === 0, `message ${index}: notes: ${JSON.stringify(notes)}`);
    const read = again.messages[index];
    must(read !== undefined && wordsOf(read) === wordsOf(edited), `message ${index}: other parts came back`);
  });
}

function keepParts(format: Format, wire: unknown): void {
  const { conversation } = format.decode(wire);
  conversation.messages.forEach((message, index) => {
    const edited = editText(message);
    if (edited === null) return;
    const encoded = format.encode(sound(format, replaceAt(conversation, index, edited)));
    const again = format.decode(encoded).conversation.messages[index];
    edited.parts.forEach((part, at) => {
      must(
        part.raw === undefined || again?.parts[at]?.raw === part.raw,
        `message ${index}: part ${at} is another object`,
      );
    });
  });
}

function appendUser(format: Format, wire: unknown): void {
  const { conversation } = format.decode(wire);
  const last = conversation.messages.at(-1);
  // Calls in flight need their answers first.
  if (last === undefined || last.parts.some((part) => part.type === 'tool-call')) return;
  const added: Message = { role: 'user', parts: [{ type: 'text', text: EDITED_TEXT }] };
  const more = withMessages(conversation, [...conversation.messages, added]);
  const check = checkSound(more, format);
  if (check.type === 'unsound') return;
  const again = format.decode(format.encode(check.conversation)).conversation.messages.at(-1);
  must(again !== undefined && wordsOf(again) === wordsOf(added), 'another message came back');
}

/** Replaces the first text of a message, or of a tool result in it; null when it has none. */
function editText(message: Message): Message | null {
  let isDone = false;
  const edit = (text: TextPart): TextPart => {
    isDone = true;
    return withText(text, EDITED_TEXT);
  };
  const parts = message.parts.map((part): Part => {
    if (isDone) return part;
    if (part.type === 'text') return edit(part);
    if (part.type !== 'tool-result' || !part.content.some((item) => item.type === 'text')) return part;
    const { raw, ...rest } = part;
    const content = part.content.map((item) => (item.type === 'text' && !isDone ? edit(item) : item));
    return { ...rest, content, ...(raw === undefined ? {} : { base: raw }) };
  });
  return isDone ? withParts(message, parts) : null;
}

function replaceAt(conversation: Conversation, index: number, message: Message): Conversation {
  return withMessages(
    conversation,
    conversation.messages.map((other, at) => (at === index ? message : other)),
  );
}

function wordsOf({ role, parts }: Message): string {
  return withoutWire({ role, parts });
}

function sound(format: Format, conversation: Conversation): SoundConversation {
  const check = checkSound(conversation, format);
  if (check.type === 'sound') return check.conversation;
  throw new Error(`unsound: ${JSON.stringify(check.issues)}`);
}
