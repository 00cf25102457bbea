import { withLegalIds } from '../convert/legal-ids.ts';
import {
  type Bridge,
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
import { objectOf } from '../json-object.ts';

/** Conversions from Anthropic messages and to them. */
export const anthropicBridge: Bridge = {
  id: 'anthropic',
  holds: ['messages', 'system'],
  media,
  extras: (wire) => otherFields(wire, CARRIED),
  build,
};

const CARRIED: ReadonlySet<string> = new Set([
  ...['role', 'content', 'type', 'text', 'thinking', 'signature', 'data', 'source', 'title'],
  ...['id', 'name', 'input', 'tool_use_id', 'is_error'],
]);

function media(wire: unknown): MediaData | null {
  const source = isRecord(wire) && isRecord(wire['source']) ? wire['source'] : {};
  const { type, data, url } = source as { readonly [key: string]: unknown };
  if (type === 'url') return typeof url === 'string' ? { type: 'url', url } : null;
  if (typeof data !== 'string') return null;
  return type === 'text' ? { type: 'text', text: data } : { type: 'base64', base64: data };
}

/** System messages at the start are the system prompt; results that follow each other stand in one user message. */
function build(messages: readonly PlainMessage[], lose: Lose): unknown {
  const start = messages.findIndex((message) => message.role !== 'system');
  const leading = messages.slice(0, start < 0 ? messages.length : start);
  const list: WireRecord[] = [];
  let results: WireRecord[] | null = null;
  for (const message of withLegalIds(messages.slice(leading.length), lose)) {
    const { index } = message;
    if (message.role === 'tool') {
      const blocks = message.results.map((result) => buildResult(result, index, lose));
      if (results !== null) results.push(...blocks);
      else {
        results = blocks;
        list.push({ role: 'user', content: results });
      }
      continue;
    }
    results = null;
    const content = contentOf(message, lose);
    if (content.length === 0) lose(index, 'nothing is left of the message, so it is left out');
    else list.push({ role: message.role, content: bare(content) });
  }
  trimEnd(list, messages.at(-1)?.index ?? -1, lose);
  const prompts = leading.flatMap((message) => (message.role === 'system' ? [message.text] : []));
  if (prompts.length === 0) return list;
  const [only] = prompts;
  return { system: prompts.length === 1 ? only : prompts.map((text) => ({ type: 'text', text })), messages: list };
}

function contentOf(message: Exclude<PlainMessage, { role: 'tool' }>, lose: Lose): readonly WireRecord[] {
  const { index } = message;
  switch (message.role) {
    case 'system':
      return [{ type: 'text', text: message.text }];
    case 'user':
      return message.content.map((part) => buildContent(part, index, lose));
    case 'assistant':
      return message.content.flatMap((part) => buildSpeech(part, index, lose));
  }
}

/** One text is written as a string. */
function bare(content: readonly WireRecord[]): unknown {
  const [first] = content;
  return content.length === 1 && first?.['type'] === 'text' ? first['text'] : content;
}

function buildSpeech(part: PlainSpeech, index: number, lose: Lose): readonly WireRecord[] {
  switch (part.type) {
    case 'reasoning':
      lose(index, 'Anthropic takes no reasoning but its own, signed; it is left out');
      return [];
    case 'tool-call': {
      const input = objectOf(part.arguments);
      if (input === null && part.arguments !== '')
        lose(index, `the arguments of the call \`${part.callId}\` are no JSON object; they stand in \`input.input\``);
      const given = input ?? (part.arguments === '' ? {} : { input: part.arguments });
      return [{ type: 'tool_use', id: part.callId, name: part.name, input: given }];
    }
    case 'media':
      return [stub(part, index, lose, 'an answer in Anthropic messages holds text only')];
    case 'text':
      return [{ type: 'text', text: part.text }];
  }
}

function buildContent(part: PlainContent, index: number, lose: Lose): WireRecord {
  if (part.type === 'text') return { type: 'text', text: part.text };
  const { kind, data, name } = part;
  const title = name === null ? {} : { title: name };
  if (data.type === 'text')
    return { type: 'document', source: { type: 'text', media_type: 'text/plain', data: data.text }, ...title };
  const mediaType = part.mediaType ?? (kind === 'image' ? 'image/png' : null);
  const isKnown =
    kind === 'image' ? IMAGES.test(mediaType ?? '') || data.type === 'url' : mediaType === 'application/pdf';
  if (!isKnown) return stub(part, index, lose, `Anthropic takes no ${kind} of the type ${mediaType ?? 'unknown'}`);
  const source =
    data.type === 'url' ? { type: 'url', url: data.url } : { type: 'base64', media_type: mediaType, data: data.base64 };
  return kind === 'image' ? { type: 'image', source } : { type: 'document', source, ...title };
}

const IMAGES = /^image\/(png|jpeg|gif|webp)$/;

function stub(part: PlainMedia, index: number, lose: Lose, why: string): WireRecord {
  lose(index, `${why}; a line of text stands for the ${part.kind}`);
  return { type: 'text', text: mediaText(part) };
}

function buildResult({ callId, content, isError }: PlainResult, index: number, lose: Lose): WireRecord {
  const blocks = content.map((part) => buildContent(part, index, lose));
  return {
    type: 'tool_result',
    tool_use_id: callId,
    ...(blocks.length === 0 ? {} : { content: bare(blocks) }),
    ...(isError ? { is_error: true } : {}),
  };
}

/** The API refuses a final answer that ends in white space. */
function trimEnd(list: WireRecord[], index: number, lose: Lose): void {
  const last = list.at(-1);
  const text = last?.['role'] === 'assistant' ? last['content'] : undefined;
  if (last === undefined || typeof text !== 'string' || text.trimEnd() === text) return;
  lose(index, 'white space at the end of the last answer is left out');
  list.pop();
  if (text.trim() !== '') list.push({ ...last, content: text.trimEnd() });
}
