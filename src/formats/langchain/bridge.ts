import { otherFields } from '../convert/extras.ts';
import { dataUrl, inlineText } from '../convert/media.ts';
import type { Bridge, LoseHere, MediaData, PlainContent, PlainMessage, PlainSpeech } from '../convert/plain.ts';
import { objectInput, sortSpeech } from '../convert/speech.ts';
import { isRecord, type WireRecord } from '../guards.ts';
import { base64OfBytes } from '../media/bytes.ts';
import { kwargsOf } from './calls.ts';
import { dataOf } from './decode-block.ts';
import { heldIn } from './held.ts';

/** Converts LangChain messages to plain ones, and plain ones to stored messages, which `mapStoredMessagesToChatMessages` turns into instances. */
export const langChainBridge: Bridge = {
  id: 'langchain',
  holds: ['messages'],
  media,
  extras,
  build: (messages, lose) => messages.flatMap((message) => buildMessage(message, (text) => lose(message.index, text))),
};

/** Fields of messages, calls and blocks that a conversation carries, or that only tell how a message is held. */
const CARRIED: ReadonlySet<string> = new Set([
  ...['content', 'type', 'role', 'tool_calls', 'invalid_tool_calls', 'tool_call_id', 'status', 'additional_kwargs'],
  ...[
    'text',
    'args',
    'input',
    'name',
    'id',
    'index',
    'function',
    'arguments',
    'error',
    'source',
    'source_type',
    'title',
  ],
  ...['data', 'url', 'mimeType', 'mime_type', 'image_url', 'file', 'fileUri'],
]);
/** `reasoning` is missing here: it may be an object, with an id and encrypted content that no part carries. */
const KWARGS: ReadonlySet<string> = new Set(['tool_calls', 'function_call', 'reasoning_content']);
/** Fields that matter in a message, though not in a block. An instance's other fields belong to its class. */
const MESSAGE_FIELDS = ['id', 'name', 'response_metadata', 'usage_metadata', 'artifact', 'metadata'] as const;

function extras(wire: unknown): readonly string[] {
  const held = heldIn(wire);
  if (held === null) return otherFields(wire, CARRIED);
  const { fields, type } = held;
  const said = Object.fromEntries(MESSAGE_FIELDS.map((key) => [key, fields[key]]));
  // A tool message repeats the name of the tool, which the call holds too.
  const own = otherFields(said, new Set(type === 'tool' ? ['name'] : []));
  return [...own, ...otherFields(kwargsOf(fields), KWARGS).map((key) => `additional_kwargs.${key}`)];
}

function media(wire: unknown): MediaData | null {
  const { base64, bytes, url, text } = dataOf(isRecord(wire) ? wire : {});
  if (base64 !== null) return { type: 'base64', base64 };
  if (bytes !== null) return { type: 'base64', base64: base64OfBytes(bytes) };
  if (url !== null) return { type: 'url', url };
  return text === null ? null : { type: 'text', text };
}

function buildMessage(message: PlainMessage, lose: LoseHere): readonly WireRecord[] {
  const common = { additional_kwargs: {}, response_metadata: {} };
  switch (message.role) {
    case 'system':
      return [{ type: 'system', data: { content: message.text, ...common } }];
    case 'user':
      return [{ type: 'human', data: { content: buildContent(message.content, lose), ...common } }];
    case 'assistant':
      return [{ type: 'ai', data: { ...common, ...buildAnswer(message.content, lose) } }];
    case 'tool':
      return message.results.map(({ callId, name, content, isError }) => ({
        type: 'tool',
        data: {
          content: buildContent(content, lose),
          tool_call_id: callId,
          name,
          ...common,
          status: isError ? 'error' : 'success',
        },
      }));
  }
}

function buildContent(content: readonly PlainContent[], lose: LoseHere): unknown {
  const [first] = content;
  if (first === undefined) return '';
  return content.length === 1 && first.type === 'text' ? first.text : content.map((part) => buildBlock(part, lose));
}

/** Blocks that the integrations of all providers accept. */
function buildBlock(part: PlainContent, lose: LoseHere): WireRecord {
  if (part.type === 'text') return { type: 'text', text: part.text };
  const { kind, data, mediaType, name } = part;
  if (data.type === 'text') return { type: 'text', text: inlineText(part, data.text, lose) };
  if (kind === 'image') {
    const url = data.type === 'url' ? data.url : dataUrl(mediaType ?? 'image/png', data.base64);
    return { type: 'image_url', image_url: { url } };
  }
  return {
    type: 'file',
    ...(data.type === 'url' ? { url: data.url } : { data: data.base64 }),
    ...(mediaType === null ? {} : { mimeType: mediaType }),
    ...(name === null ? {} : { metadata: { filename: name } }),
  };
}

function buildAnswer(content: readonly PlainSpeech[], lose: LoseHere): WireRecord {
  const { words, reasoning, calls } = sortSpeech(content, lose);
  return {
    content: buildContent(words, lose),
    ...(reasoning.length === 0 ? {} : { additional_kwargs: { reasoning_content: reasoning.join('\n') } }),
    tool_calls: calls.map((call) => ({
      id: call.callId,
      name: call.name,
      args: objectInput(call, 'args', lose),
      type: 'tool_call',
    })),
    invalid_tool_calls: [],
  };
}
