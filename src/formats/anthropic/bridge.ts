import { otherFields } from '../convert/extras.ts';
import { withLegalIds } from '../convert/legal-ids.ts';
import { textInstead } from '../convert/media.ts';
import type {
  Bridge,
  Lose,
  LoseHere,
  MediaData,
  PlainContent,
  PlainMessage,
  PlainResult,
  PlainSpeech,
} from '../convert/plain.ts';
import { bareText, objectInput, splitPrompts } from '../convert/speech.ts';
import { isRecord, type WireRecord } from '../guards.ts';

/** Converts Anthropic messages from and to plain ones. */
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

/** Builds a request. Leading system messages become the system prompt, and consecutive results share one user message. */
function build(messages: readonly PlainMessage[], lose: Lose): unknown {
  const { prompts, rest } = splitPrompts(messages);
  const list: WireRecord[] = [];
  let results: WireRecord[] | null = null;
  for (const message of withLegalIds(rest, lose)) {
    const loseHere: LoseHere = (text) => lose(message.index, text);
    if (message.role === 'tool') {
      const blocks = message.results.map((result) => buildResult(result, loseHere));
      if (results !== null) results.push(...blocks);
      else {
        results = blocks;
        list.push({ role: 'user', content: results });
      }
      continue;
    }
    results = null;
    const content = buildContent(message, loseHere);
    if (content.length === 0) loseHere('nothing is left of the message, so it is left out');
    else list.push({ role: message.role, content: bareText(content) });
  }
  trimEnd(list, (text) => lose(messages.at(-1)?.index ?? -1, text));
  if (prompts.length === 0) return list;
  const [only] = prompts;
  return { system: prompts.length === 1 ? only : prompts.map((text) => ({ type: 'text', text })), messages: list };
}

function buildContent(message: Exclude<PlainMessage, { role: 'tool' }>, lose: LoseHere): readonly WireRecord[] {
  switch (message.role) {
    case 'system':
      return [{ type: 'text', text: message.text }];
    case 'user':
      return message.content.map((part) => buildBlock(part, lose));
    case 'assistant':
      return message.content.flatMap((part) => buildSpeech(part, lose));
  }
}

function buildSpeech(part: PlainSpeech, lose: LoseHere): readonly WireRecord[] {
  switch (part.type) {
    case 'reasoning':
      lose('Anthropic takes no reasoning but its own, signed; it is left out');
      return [];
    case 'tool-call':
      return [{ type: 'tool_use', id: part.callId, name: part.name, input: objectInput(part, 'input', lose) }];
    case 'media':
      return [{ type: 'text', text: textInstead(part, 'an answer in Anthropic messages holds text only', lose) }];
    case 'text':
      return [{ type: 'text', text: part.text }];
  }
}

function buildBlock(part: PlainContent, lose: LoseHere): WireRecord {
  if (part.type === 'text') return { type: 'text', text: part.text };
  const { kind, data, name } = part;
  const title = name === null ? {} : { title: name };
  if (data.type === 'text')
    return { type: 'document', source: { type: 'text', media_type: 'text/plain', data: data.text }, ...title };
  const mediaType = part.mediaType ?? (kind === 'image' ? 'image/png' : null);
  const isKnown =
    kind === 'image' ? IMAGES.test(mediaType ?? '') || data.type === 'url' : mediaType === 'application/pdf';
  if (!isKnown) {
    const why = `Anthropic takes no ${kind} of the type ${mediaType ?? 'unknown'}`;
    return { type: 'text', text: textInstead(part, why, lose) };
  }
  const source =
    data.type === 'url' ? { type: 'url', url: data.url } : { type: 'base64', media_type: mediaType, data: data.base64 };
  return kind === 'image' ? { type: 'image', source } : { type: 'document', source, ...title };
}

const IMAGES = /^image\/(png|jpeg|gif|webp)$/;

function buildResult({ callId, content, isError }: PlainResult, lose: LoseHere): WireRecord {
  const blocks = content.map((part) => buildBlock(part, lose));
  return {
    type: 'tool_result',
    tool_use_id: callId,
    ...(blocks.length === 0 ? {} : { content: bareText(blocks) }),
    ...(isError ? { is_error: true } : {}),
  };
}

/** The API refuses a final answer that ends in white space. */
function trimEnd(list: WireRecord[], lose: LoseHere): void {
  const last = list.at(-1);
  const text = last?.['role'] === 'assistant' ? last['content'] : undefined;
  if (last === undefined || typeof text !== 'string' || text.trimEnd() === text) return;
  lose('white space at the end of the last answer is left out');
  list.pop();
  if (text.trim() !== '') list.push({ ...last, content: text.trimEnd() });
}
