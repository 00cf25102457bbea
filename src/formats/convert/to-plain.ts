import type { Conversation } from '../../core/conversation/conversation.ts';
import type { Message, Part, ResultContent } from '../../core/conversation/message.ts';
import { toolCallsOf } from '../../core/conversation/message.ts';
import { mediaText } from './media.ts';
import type { Bridge, Lose, LoseHere, PlainContent, PlainMessage, PlainResult, PlainSpeech } from './plain.ts';

/** The messages without their wire. A message with results and words becomes two; a message of which nothing is left is dropped. */
export function toPlain(conversation: Conversation, bridge: Bridge | null, lose: Lose): readonly PlainMessage[] {
  const names = new Map<string, string>();
  return conversation.messages.flatMap((message, index): readonly PlainMessage[] => {
    for (const call of toolCallsOf(message)) names.set(call.callId, call.name);
    const reader: Reader = { index, bridge, lose: (text) => lose(index, text) };
    noteExtras(message, reader);
    const plain = messageOf(message, reader, names);
    if (plain.length === 0) lose(index, 'nothing is left of the message, so it is left out');
    return plain;
  });
}

interface Reader {
  readonly index: number;
  readonly bridge: Bridge | null;
  readonly lose: LoseHere;
}

function messageOf(message: Message, reader: Reader, names: ReadonlyMap<string, string>): readonly PlainMessage[] {
  const { index } = reader;
  const results = message.parts.flatMap((part): readonly PlainResult[] =>
    part.type === 'tool-result'
      ? [
          {
            type: 'tool-result',
            callId: part.callId,
            name: names.get(part.callId) ?? 'tool',
            content: part.content.flatMap((item) => contentOf(item, reader)),
            isError: part.isError,
          },
        ]
      : [],
  );
  const speech = message.parts.flatMap((part) => speechOf(part, reader));
  const content = speech.filter((part) => part.type === 'text' || part.type === 'media');
  const answers: readonly PlainMessage[] = results.length === 0 ? [] : [{ index, role: 'tool', results }];
  if (speech.length === 0) return answers;
  switch (message.role) {
    case 'system':
      return [{ index, role: 'system', text: content.map((part) => systemText(part, reader)).join('\n\n') }];
    case 'assistant':
      return [...answers, { index, role: 'assistant', content: speech }];
    case 'user':
    case 'tool':
      return content.length === 0 ? answers : [...answers, { index, role: 'user', content }];
  }
}

function systemText(part: PlainContent, { lose }: Reader): string {
  if (part.type === 'text') return part.text;
  lose(`a system message holds text only; the ${part.kind} is left out`);
  return mediaText(part);
}

function speechOf(part: Part, reader: Reader): readonly PlainSpeech[] {
  switch (part.type) {
    case 'tool-result':
      return [];
    case 'tool-call':
      return [{ type: 'tool-call', callId: part.callId, name: part.name, arguments: part.arguments }];
    case 'reasoning':
      if (part.text === '') reader.lose('encrypted reasoning can be read by its provider only; it is left out');
      else if (part.bound) reader.lose('the signature of the reasoning is left out; its text is kept');
      return part.text === '' ? [] : [{ type: 'reasoning', text: part.text }];
    default:
      return contentOf(part, reader);
  }
}

function contentOf(part: ResultContent, { bridge, lose }: Reader): readonly PlainContent[] {
  switch (part.type) {
    case 'text':
      return part.text === '' ? [] : [{ type: 'text', text: part.text }];
    case 'opaque':
      lose(`a part of the kind \`${part.kind}\` is left out`);
      return [];
    case 'image':
    case 'file': {
      const { type: kind, mediaType } = part;
      const name = part.type === 'file' ? part.name : null;
      const url = part.type === 'image' ? part.url : null;
      const data = bridge?.media(part.raw ?? part.base) ?? (url === null ? null : { type: 'url' as const, url });
      if (part.type === 'image' && part.detail !== 'auto') lose(`the detail of an image (${part.detail}) is left out`);
      if (data !== null) return [{ type: 'media', kind, mediaType, name, data }];
      lose(`the content of the ${kind} is with its provider; a line of text stands for it`);
      return [{ type: 'text', text: mediaText({ kind, mediaType, name }) }];
    }
  }
}

/** Notes the names, cache markers and other fields that no part carries. */
function noteExtras(message: Message, { bridge, lose }: Reader): void {
  if (bridge === null) return;
  const own = message.raw ?? message.base;
  const parts = message.parts.flatMap((part): readonly Part[] =>
    part.type === 'tool-result' ? [part, ...part.content] : [part],
  );
  const fields = parts
    // An opaque part is lost as a whole, and a lost signature has a note of its own.
    .filter((part) => part.type !== 'opaque' && !(part.type === 'reasoning' && part.bound))
    .map((part) => part.raw ?? part.base)
    .filter((wire) => wire !== own)
    .flatMap((wire) => bridge.extras(wire));
  const all = [...new Set([...bridge.extras(own), ...fields])];
  if (all.length > 0) lose(`${listed(all)} ${all.length === 1 ? 'is' : 'are'} left out`);
}

export function listed(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ');
}
