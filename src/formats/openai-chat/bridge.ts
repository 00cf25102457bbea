import {
  type Bridge,
  dataUrl,
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
import { isRecord } from '../guards.ts';
import { parseDataUrl } from '../media/data-url.ts';
import type { ChatMessage } from './wire.ts';

/** Conversions from OpenAI chat and to it. */
export const chatBridge: Bridge = {
  id: 'openai-chat',
  holds: ['messages'],
  media,
  extras: (wire) => [
    ...otherFields(wire, isRecord(wire) && wire['role'] === 'tool' ? TOOL_FIELDS : CARRIED),
    ...roleOf(wire),
  ],
  build: (messages, lose) => messages.flatMap((message) => build(message, lose)),
};

const CARRIED: ReadonlySet<string> = new Set([
  ...['role', 'content', 'tool_calls', 'tool_call_id', 'function_call', 'reasoning_content', 'reasoning'],
  ...['reasoning_details', 'refusal', 'audio', 'type', 'text', 'image_url', 'input_audio', 'file'],
  // Of a call; a deprecated one holds name and arguments itself.
  ...['id', 'index', 'function', 'custom', 'arguments'],
]);
/** The name in a tool message is that of the tool, which the call has too. */
const TOOL_FIELDS: ReadonlySet<string> = new Set([...CARRIED, 'name']);

/** Other formats have one role for what a developer and what a system says. */
function roleOf(wire: unknown): readonly string[] {
  return isRecord(wire) && wire['role'] === 'developer' ? ['role: developer'] : [];
}

function media(wire: unknown): MediaData | null {
  if (!isRecord(wire)) return null;
  const { image_url: image, file, input_audio: audio } = wire as { readonly [key: string]: unknown };
  if (isRecord(audio)) return typeof audio['data'] === 'string' ? { type: 'base64', base64: audio['data'] } : null;
  const value = isRecord(image) ? image['url'] : isRecord(file) ? file['file_data'] : image;
  if (typeof value !== 'string') return null;
  const inline = parseDataUrl(value);
  if (inline !== null) return { type: 'base64', base64: inline.base64 };
  return isRecord(file) ? { type: 'base64', base64: value } : { type: 'url', url: value };
}

function build(message: PlainMessage, lose: Lose): readonly ChatMessage[] {
  const { index } = message;
  switch (message.role) {
    case 'system':
      return [{ role: 'system', content: message.text }];
    case 'user':
      return [{ role: 'user', content: contentOf(message.content, (part) => buildMedia(part, index, lose)) }];
    case 'assistant':
      return [buildAnswer(message.content, index, lose)];
    case 'tool':
      return message.results.map((result) => buildResult(result, index, lose));
  }
}

function contentOf(content: readonly PlainContent[], buildOne: (part: PlainMedia) => unknown): unknown {
  const [first] = content;
  if (content.length === 1 && first?.type === 'text') return first.text;
  return content.map((part) => (part.type === 'text' ? part : buildOne(part)));
}

function buildMedia(part: PlainMedia, index: number, lose: Lose): unknown {
  const { kind, data, mediaType, name } = part;
  const text = inlineText(part, index, lose);
  if (text !== null || data.type === 'text') return { type: 'text', text };
  if (kind === 'image')
    return {
      type: 'image_url',
      image_url: { url: data.type === 'url' ? data.url : dataUrl(mediaType ?? 'image/png', data.base64) },
    };
  const audio = /^audio\/(wav|mp3|mpeg)$/.exec(mediaType ?? '')?.[1];
  if (audio !== undefined && data.type === 'base64')
    return { type: 'input_audio', input_audio: { data: data.base64, format: audio === 'wav' ? 'wav' : 'mp3' } };
  if (data.type === 'base64')
    return {
      type: 'file',
      file: { ...(name === null ? {} : { filename: name }), file_data: dataUrl(mediaType, data.base64) },
    };
  return stub(part, index, lose, 'OpenAI chat takes no files by URL');
}

function stub(part: PlainMedia, index: number, lose: Lose, why: string): unknown {
  lose(index, `${why}; a line of text stands for the ${part.kind}`);
  return { type: 'text', text: mediaText(part) };
}

/** Reasoning, then text, then calls: each has a field of its own, so the order among them is fixed. */
function buildAnswer(content: readonly PlainSpeech[], index: number, lose: Lose): ChatMessage {
  const reasoning = content.flatMap((part) => (part.type === 'reasoning' ? [part.text] : []));
  const calls = content.flatMap((part) => (part.type === 'tool-call' ? [part] : []));
  const words = content.filter((part) => part.type === 'text' || part.type === 'media');
  const firstCall = content.findIndex((part) => part.type === 'tool-call');
  if (firstCall >= 0 && content.slice(firstCall).some((part) => part.type === 'text'))
    lose(index, 'text behind a tool call stands before it');
  const text = contentOf(words, (part) => stub(part, index, lose, 'an answer in OpenAI chat holds text only'));
  return {
    role: 'assistant',
    content: words.length === 0 ? null : text,
    ...(reasoning.length === 0 ? {} : { reasoning_content: reasoning.join('\n') }),
    ...(calls.length === 0
      ? {}
      : {
          tool_calls: calls.map(({ callId, name, arguments: text }) => ({
            id: callId,
            type: 'function',
            function: { name, arguments: text },
          })),
        }),
  };
}

function buildResult({ callId, content, isError }: PlainResult, index: number, lose: Lose): ChatMessage {
  if (isError) lose(index, `that the tool failed (\`${callId}\`) can only be read in its text`);
  const text = contentOf(content, (part) => stub(part, index, lose, 'a result in OpenAI chat holds text only'));
  return { role: 'tool', tool_call_id: callId, content: content.length === 0 ? '' : text };
}
