import { otherFields } from '../convert/extras.ts';
import { inlineText, mediaText } from '../convert/media.ts';
import type {
  Bridge,
  LoseHere,
  MediaData,
  PlainContent,
  PlainMedia,
  PlainMessage,
  PlainResult,
  PlainSpeech,
} from '../convert/plain.ts';
import { bareText } from '../convert/speech.ts';
import { isRecord, type WireRecord } from '../guards.ts';
import { base64OfBytes } from '../media/bytes.ts';
import { readData } from './data.ts';
import { inputOf } from './input.ts';
import type { AiPart } from './wire.ts';

/** Converts AI SDK messages from and to plain ones. It writes JSON that is the same in versions 6 and 7. */
export const aiSdkBridge: Bridge = {
  id: 'ai-sdk',
  holds: ['messages'],
  media,
  extras: (wire) => otherFields(wire, CARRIED),
  build: (messages, lose) => messages.flatMap((message) => buildMessage(message, (text) => lose(message.index, text))),
};

const CARRIED: ReadonlySet<string> = new Set([
  ...['role', 'content', 'type', 'text', 'image', 'data', 'url', 'mediaType', 'filename'],
  ...['toolCallId', 'toolName', 'input', 'output'],
]);

function media(wire: unknown): MediaData | null {
  const part: AiPart = isRecord(wire) ? wire : {};
  const data = readData(part.image ?? part.data ?? part.url);
  switch (data.type) {
    case 'bytes':
      return { type: 'base64', base64: base64OfBytes(data.bytes) };
    case 'base64':
      return { type: 'base64', base64: data.base64 };
    case 'url':
    case 'text':
      return data;
    case 'reference':
      return null;
  }
}

function buildMessage(message: PlainMessage, lose: LoseHere): readonly WireRecord[] {
  switch (message.role) {
    case 'system':
      return [{ role: 'system', content: message.text }];
    case 'user':
      return [{ role: 'user', content: bareText(message.content.map((part) => buildContent(part, lose))) }];
    case 'assistant':
      return [{ role: 'assistant', content: bareText(message.content.map((part) => buildSpeech(part, lose))) }];
    case 'tool':
      return [{ role: 'tool', content: message.results.map((result) => buildResult(result, lose)) }];
  }
}

function buildSpeech(part: PlainSpeech, lose: LoseHere): WireRecord {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text };
    case 'media':
      return buildFile(part, lose);
    case 'reasoning':
      return { type: 'reasoning', text: part.text };
    case 'tool-call':
      return { type: 'tool-call', toolCallId: part.callId, toolName: part.name, input: callInput(part.arguments) };
  }
}

function callInput(text: string): unknown {
  return text === '' ? {} : inputOf(text);
}

function buildContent(part: PlainContent, lose: LoseHere): WireRecord {
  return part.type === 'text' ? { type: 'text', text: part.text } : buildFile(part, lose);
}

/** Images are written as files, which both versions of the SDK take; version 7 deprecates the image part. */
function buildFile(part: PlainMedia, lose: LoseHere): WireRecord {
  const { kind, data, mediaType, name } = part;
  if (data.type === 'text') return { type: 'text', text: inlineText(part, data.text, lose) };
  return {
    type: 'file',
    data: data.type === 'url' ? data.url : data.base64,
    mediaType: mediaType ?? (kind === 'image' ? 'image/*' : 'application/octet-stream'),
    ...(name === null ? {} : { filename: name }),
  };
}

function buildResult({ callId, name, content, isError }: PlainResult, lose: LoseHere): WireRecord {
  const head = { type: 'tool-result', toolCallId: callId, toolName: name };
  if (content.every((part) => part.type === 'text')) {
    const value = content.map((part) => part.text).join('\n');
    return { ...head, output: { type: isError ? 'error-text' : 'text', value } };
  }
  if (isError) lose(`that the tool failed (\`${callId}\`) has no place beside an image or a file`);
  return { ...head, output: { type: 'content', value: content.map((part) => buildOutput(part, lose)) } };
}

/** Names that both versions know. */
function buildOutput(part: PlainContent, lose: LoseHere): WireRecord {
  if (part.type === 'text') return { type: 'text', text: part.text };
  const { kind, data, mediaType } = part;
  if (data.type === 'text') return { type: 'text', text: inlineText(part, data.text, lose) };
  if (data.type === 'url') return { type: `${kind}-url`, url: data.url };
  if (mediaType !== null || kind === 'image')
    return { type: `${kind}-data`, data: data.base64, mediaType: mediaType ?? 'image/png' };
  lose('a file without a type has no place in a result; a line of text stands for it');
  return { type: 'text', text: mediaText(part) };
}
