import {
  type Bridge,
  inlineText,
  type Lose,
  type MediaData,
  mediaText,
  otherFields,
  type PlainContent,
  type PlainMedia,
  type PlainMessage,
  type PlainResult,
  type PlainSpeech,
} from '../convert/plain.ts';
import { isRecord, type WireRecord } from '../guards.ts';
import { base64OfBytes } from '../media/bytes.ts';
import { readData } from './data.ts';
import { inputOf } from './input.ts';
import type { AiPart } from './wire.ts';

/** Conversions from messages of the AI SDK and to them. What is written is the same in versions 6 and 7, and is JSON. */
export const aiSdkBridge: Bridge = {
  id: 'ai-sdk',
  holds: ['messages'],
  media,
  extras: (wire) => otherFields(wire, CARRIED),
  build: (messages, lose) => messages.flatMap((message) => build(message, lose)),
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

function build(message: PlainMessage, lose: Lose): readonly WireRecord[] {
  const { index } = message;
  switch (message.role) {
    case 'system':
      return [{ role: 'system', content: message.text }];
    case 'user':
      return [{ role: 'user', content: bare(message.content.map((part) => buildContent(part, index, lose))) }];
    case 'assistant':
      return [{ role: 'assistant', content: bare(message.content.map((part) => buildSpeech(part, index, lose))) }];
    case 'tool':
      return [{ role: 'tool', content: message.results.map((result) => buildResult(result, index, lose)) }];
  }
}

/** One text is written as a string. */
function bare(content: readonly WireRecord[]): unknown {
  const [first] = content;
  return content.length === 1 && first?.['type'] === 'text' ? first['text'] : content;
}

function buildSpeech(part: PlainSpeech, index: number, lose: Lose): WireRecord {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text };
    case 'media':
      return buildFile(part, index, lose);
    case 'reasoning':
      return { type: 'reasoning', text: part.text };
    case 'tool-call':
      return { type: 'tool-call', toolCallId: part.callId, toolName: part.name, input: callInput(part.arguments) };
  }
}

function callInput(text: string): unknown {
  return text === '' ? {} : inputOf(text);
}

function buildContent(part: PlainContent, index: number, lose: Lose): WireRecord {
  return part.type === 'text' ? { type: 'text', text: part.text } : buildFile(part, index, lose);
}

/** Images are written as files, which both versions of the SDK take; a part of their own for them is deprecated in the later one. */
function buildFile(part: PlainMedia, index: number, lose: Lose): WireRecord {
  const { kind, data, mediaType, name } = part;
  const text = inlineText(part, index, lose);
  if (text !== null || data.type === 'text') return { type: 'text', text };
  return {
    type: 'file',
    data: data.type === 'url' ? data.url : data.base64,
    mediaType: mediaType ?? (kind === 'image' ? 'image/*' : 'application/octet-stream'),
    ...(name === null ? {} : { filename: name }),
  };
}

function buildResult({ callId, name, content, isError }: PlainResult, index: number, lose: Lose): WireRecord {
  const head = { type: 'tool-result', toolCallId: callId, toolName: name };
  if (content.every((part) => part.type === 'text')) {
    const value = content.map((part) => part.text).join('\n');
    return { ...head, output: { type: isError ? 'error-text' : 'text', value } };
  }
  if (isError) lose(index, `that the tool failed (\`${callId}\`) has no place beside an image or a file`);
  return { ...head, output: { type: 'content', value: content.map((part) => buildOutput(part, index, lose)) } };
}

/** Names that both versions know. */
function buildOutput(part: PlainContent, index: number, lose: Lose): WireRecord {
  if (part.type === 'text') return { type: 'text', text: part.text };
  const { kind, data, mediaType } = part;
  const text = inlineText(part, index, lose);
  if (text !== null || data.type === 'text') return { type: 'text', text };
  if (data.type === 'url') return { type: `${kind}-url`, url: data.url };
  if (mediaType !== null || kind === 'image')
    return { type: `${kind}-data`, data: data.base64, mediaType: mediaType ?? 'image/png' };
  lose(index, 'a file without a type has no place in a result; a line of text stands for it');
  return { type: 'text', text: mediaText(part) };
}
