import type { Conversation } from '../core/conversation/conversation.ts';
import { withMessages } from '../core/conversation/conversation.ts';
import { type Message, type Part, type TextPart, withParts, withText } from '../core/conversation/message.ts';
import { checkSound, type SoundConversation } from '../core/conversation/sound.ts';
import type { Format } from '../core/format.ts';

/** Something every implementation must obey. Throws when it does not; needs no test runner. */
export interface Law {
  readonly name: string;
  run(): void;
}

/** What every format owes the engine, shown on sound wire values of that format. */
export function formatLaws(format: Format, samples: readonly unknown[]): readonly Law[] {
  return samples.flatMap((wire, index) => {
    const law = (name: string, run: () => void): Law => ({ name: `${format.id}, sample ${index}: ${name}`, run });
    return [
      law('is recognised', () => expect(format.detect(wire) > 0, 'detect gave 0')),
      law('a sound conversation needs no mending', () => {
        const { notes } = format.decode(wire);
        expect(notes.length === 0, `notes: ${JSON.stringify(notes)}`);
      }),
      law('what is decoded is sound', () => void sound(format, format.decode(wire).conversation)),
      law('encoding an unedited conversation gives back the wire value itself', () => {
        expect(format.encode(sound(format, format.decode(wire).conversation)) === wire, 'another value');
      }),
      law('decoding leaves the wire value as it was', () => {
        const before = JSON.stringify(wire);
        format.encode(sound(format, format.decode(wire).conversation));
        expect(JSON.stringify(wire) === before, 'the value changed');
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
    expect(encoded !== wire, `message ${index}: the edit was lost`);
    expect(again.length === conversation.messages.length, `message ${index}: the number of messages changed`);
    again.forEach((other, at) => {
      expect(
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
    expect(notes.length === 0, `message ${index}: notes: ${JSON.stringify(notes)}`);
    const read = again.messages[index];
    expect(read !== undefined && plain(read) === plain(edited), `message ${index}: other parts came back`);
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
      expect(
        part.raw === undefined || again?.parts[at]?.raw === part.raw,
        `message ${index}: part ${at} is another object`,
      );
    });
  });
}

function appendUser(format: Format, wire: unknown): void {
  const { conversation } = format.decode(wire);
  const last = conversation.messages.at(-1);
  // Calls in flight must be answered first.
  if (last === undefined || last.parts.some((part) => part.type === 'tool-call')) return;
  const added: Message = { role: 'user', parts: [{ type: 'text', text: EDITED_TEXT }] };
  const more = withMessages(conversation, [...conversation.messages, added]);
  const check = checkSound(more, format);
  if (check.type === 'unsound') return;
  const again = format.decode(format.encode(check.conversation)).conversation.messages.at(-1);
  expect(again !== undefined && plain(again) === plain(added), 'another message came back');
}

/** The message with its first text, or the first text of a tool result in it, replaced; null when it has none. */
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

/** A message without where it came from, as text to compare. */
function plain({ role, parts }: Message): string {
  return JSON.stringify({ role, parts }, (key, value: unknown) =>
    key === 'raw' || key === 'base' ? undefined : value,
  );
}

function sound(format: Format, conversation: Conversation): SoundConversation {
  const check = checkSound(conversation, format);
  if (check.type === 'sound') return check.conversation;
  throw new Error(`unsound: ${JSON.stringify(check.issues)}`);
}

function expect(holds: boolean, text: string): void {
  if (!holds) throw new Error(text);
}
