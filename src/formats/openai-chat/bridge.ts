import { otherFields } from '../convert/extras.ts';
import { audioData, audioInput, dataUrl, inlineText, textInstead } from '../convert/media.ts';
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
import { sortSpeech } from '../convert/speech.ts';
import { isRecord } from '../guards.ts';
import { parseDataUrl } from '../media/data-url.ts';
import type { ChatMessage } from './wire.ts';

/** Converts OpenAI chat messages from and to plain ones. */
export const chatBridge: Bridge = {
  id: 'openai-chat',
  holds: ['messages'],
  media,
  extras: (wire) => [
    ...otherFields(wire, isRecord(wire) && wire['role'] === 'tool' ? TOOL_FIELDS : CARRIED),
    ...developerRole(wire),
  ],
  build: (messages, lose) => messages.flatMap((message) => buildMessage(message, (text) => lose(message.index, text))),
};

const CARRIED: ReadonlySet<string> = new Set([
  ...['role', 'content', 'tool_calls', 'tool_call_id', 'function_call', 'reasoning_content', 'reasoning'],
  ...['reasoning_details', 'refusal', 'audio', 'type', 'text', 'image_url', 'input_audio', 'file'],
  // Fields of a call; a deprecated call holds name and arguments itself.
  ...['id', 'index', 'function', 'custom', 'arguments'],
]);
/** A tool message repeats the name of the tool, which the call holds too. */
const TOOL_FIELDS: ReadonlySet<string> = new Set([...CARRIED, 'name']);

/** Other formats have one role for developer and system. */
function developerRole(wire: unknown): readonly string[] {
  return isRecord(wire) && wire['role'] === 'developer' ? ['role: developer'] : [];
}

function media(wire: unknown): MediaData | null {
  if (!isRecord(wire)) return null;
  const { image_url: image, file, input_audio: audio } = wire as { readonly [key: string]: unknown };
  if (isRecord(audio)) return audioData(audio);
  const value = isRecord(image) ? image['url'] : isRecord(file) ? file['file_data'] : image;
  if (typeof value !== 'string') return null;
  const inline = parseDataUrl(value);
  if (inline !== null) return { type: 'base64', base64: inline.base64 };
  return isRecord(file) ? { type: 'base64', base64: value } : { type: 'url', url: value };
}

function buildMessage(message: PlainMessage, lose: LoseHere): readonly ChatMessage[] {
  switch (message.role) {
    case 'system':
      return [{ role: 'system', content: message.text }];
    case 'user':
      return [{ role: 'user', content: buildContent(message.content, (part) => buildMedia(part, lose)) }];
    case 'assistant':
      return [buildAnswer(message.content, lose)];
    case 'tool':
      return message.results.map((result) => buildResult(result, lose));
  }
}

function buildContent(content: readonly PlainContent[], buildOne: (part: PlainMedia) => unknown): unknown {
  const [first] = content;
  if (content.length === 1 && first?.type === 'text') return first.text;
  return content.map((part) => (part.type === 'text' ? part : buildOne(part)));
}

function buildMedia(part: PlainMedia, lose: LoseHere): unknown {
  const { kind, data, mediaType, name } = part;
  if (data.type === 'text') return { type: 'text', text: inlineText(part, data.text, lose) };
  if (kind === 'image')
    return {
      type: 'image_url',
      image_url: { url: data.type === 'url' ? data.url : dataUrl(mediaType ?? 'image/png', data.base64) },
    };
  const audio = audioInput(part);
  if (audio !== null) return audio;
  if (data.type === 'url') return { type: 'text', text: textInstead(part, 'OpenAI chat takes no files by URL', lose) };
  return {
    type: 'file',
    file: { ...(name === null ? {} : { filename: name }), file_data: dataUrl(mediaType, data.base64) },
  };
}

/** Reasoning, then text, then calls: each has a field of its own, so the order among them is fixed. */
function buildAnswer(content: readonly PlainSpeech[], lose: LoseHere): ChatMessage {
  const { words, reasoning, calls } = sortSpeech(content, lose);
  return {
    role: 'assistant',
    content: words.length === 0 ? null : buildTextOnly(words, 'an answer in OpenAI chat holds text only', lose),
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

function buildResult({ callId, content, isError }: PlainResult, lose: LoseHere): ChatMessage {
  if (isError) lose(`that the tool failed (\`${callId}\`) can only be read in its text`);
  const text = buildTextOnly(content, 'a result in OpenAI chat holds text only', lose);
  return { role: 'tool', tool_call_id: callId, content: content.length === 0 ? '' : text };
}

function buildTextOnly(content: readonly PlainContent[], why: string, lose: LoseHere): unknown {
  return buildContent(content, (part) => ({ type: 'text', text: textInstead(part, why, lose) }));
}
