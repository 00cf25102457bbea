import type { Conversation } from '../../core/conversation/conversation.ts';
import { type Message, toolCallsOf } from '../../core/conversation/message.ts';
import { isSameList } from '../envelope.ts';
import { isRecord, type WireRecord } from '../guards.ts';
import { encodePart } from './encode-part.ts';
import { contentListOf, fieldOf, type GeminiContent, keyOf } from './wire.ts';

/** Returns the wire value itself when nothing changed, else a shallow copy with other contents. */
export function encodeGemini({ messages, envelope }: Conversation): unknown {
  const original = contentListOf(envelope);
  const contents = encodeContents(messages, original ?? []);
  const request: WireRecord = isRecord(envelope) ? envelope : {};
  const key = keyOf(request, 'systemInstruction');
  const before = fieldOf(request, 'systemInstruction');
  const system = encodeSystem(
    messages.filter((message) => message.role === 'system'),
    before,
  );
  if (isSameList(original, contents) && system === before) return envelope;
  if (!isRecord(envelope) && system === undefined) return contents;
  const { [key]: _system, ...rest } = request;
  return { ...(system === undefined ? rest : { ...request, [key]: system }), contents };
}

function encodeSystem(messages: readonly Message[], before: unknown): unknown {
  const [first] = messages;
  // An empty prompt has no message, and stays as it was.
  if (first === undefined) return isEmptyPrompt(before) ? before : undefined;
  if (messages.length === 1 && first.raw !== undefined) return first.raw;
  const parts = messages.flatMap((message) => message.parts.flatMap((part) => encodePart(part, new Map())));
  const [only] = first.parts;
  const isBare = messages.length === 1 && first.parts.length === 1 && typeof first.base === 'string';
  if (isBare && only?.type === 'text') return only.text;
  return { ...(isRecord(first.base) ? first.base : {}), parts };
}

function isEmptyPrompt(system: unknown): boolean {
  if (system === '' || system === null) return true;
  const parts = isRecord(system) ? system['parts'] : undefined;
  return isRecord(system) && (parts === undefined || parts === null || (Array.isArray(parts) && parts.length === 0));
}

/**
 * The contents of a conversation. When an edit makes two model contents neighbours, their parts are joined: a call must directly follow a content of
 * the user or of a function (GEM-6). Neighbours that came in that way stay.
 */
export function encodeContents(messages: readonly Message[], original: readonly unknown[]): readonly unknown[] {
  const toolNames = new Map<string, string>();
  const places = new Map(original.map((content, index) => [content, index]));
  const contents: unknown[] = [];
  let before: Message | null = null;
  for (const message of messages) {
    if (message.role === 'system') continue;
    for (const call of toolCallsOf(message)) toolNames.set(call.callId, call.name);
    const content = encodeMessage(message, toolNames);
    const isNew =
      before?.role === 'assistant' && message.role === 'assistant' && !wereNeighbours(before, message, places);
    if (isNew) contents.push(joined(contents.pop(), content));
    else contents.push(content);
    before = message;
  }
  return contents;
}

function wereNeighbours(message: Message, next: Message, places: ReadonlyMap<unknown, number>): boolean {
  const place = places.get(message.raw ?? message.base);
  return place !== undefined && places.get(next.raw ?? next.base) === place + 1;
}

function joined(content: unknown, next: unknown): GeminiContent {
  const [first, second] = [content, next].map((value): GeminiContent => (isRecord(value) ? value : {}));
  return { ...first, role: 'model', parts: [...partsOf(first), ...partsOf(second)] };
}

function partsOf(content: GeminiContent | undefined): readonly unknown[] {
  return Array.isArray(content?.parts) ? content.parts : [];
}

function encodeMessage(message: Message, toolNames: ReadonlyMap<string, string>): unknown {
  if (message.raw !== undefined) return message.raw;
  const base: GeminiContent = isRecord(message.base) ? message.base : {};
  const role = message.role === 'assistant' ? 'model' : (base.role ?? 'user');
  return { ...base, role, parts: message.parts.flatMap((part) => encodePart(part, toolNames)) };
}
