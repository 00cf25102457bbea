import type { Message, Part, ResultContent, ToolCallPart } from '../../core/conversation/message.ts';
import { isSameList } from '../envelope.ts';
import { isRecord, type WireRecord } from '../guards.ts';
import { baseOf, isResultContent } from '../parts.ts';
import { encodePart } from './encode-content.ts';
import { contentOf, itemsOf, lostReasoning } from './followers.ts';
import { CALL_FIELDS, isTextCall, type ResponsesItem } from './wire.ts';

/** The content of a message item while it is collected. */
interface Run {
  /** Null until a part with an item comes. */
  item: ResponsesItem | null;
  readonly parts: ResultContent[];
  /** Place of the newest part in the item's content. */
  last: number;
}

/**
 * Writes the items of an assistant message; unedited items stay the same objects. When an edit removed reasoning, the items after it lose their
 * ids, because by these ids the provider knows that reasoning came with them, and demands it.
 */
export function encodeAssistant(message: Message): readonly unknown[] {
  const ownerOf = owners(itemsOf(message));
  const release = lostReasoning(message) ? withoutId : (item: unknown): unknown => item;
  const encoded: unknown[] = [];
  let run: Run | null = null;
  const close = (): void => {
    if (run !== null) encoded.push(release(encodeRun(run)));
    run = null;
  };
  for (const part of message.parts) {
    const source = part.raw ?? part.base;
    const owner = ownerOf.get(source) ?? null;
    if (!isResultContent(part) || (part.type === 'opaque' && owner === null)) {
      close();
      encoded.push(...encodeItem(part).map(part.type === 'tool-call' ? release : (item) => item));
      continue;
    }
    const place = owner === null || owner === source ? 0 : contentOf(owner).indexOf(source);
    // A part without an item joins the item being written.
    if (run !== null && owner === null) run.parts.push(part);
    else if (run !== null && (run.item === null || (run.item === owner && place > run.last))) {
      run.parts.push(part);
      run.item = owner;
      run.last = place;
    } else {
      close();
      run = { item: owner, parts: [part], last: place };
    }
  }
  close();
  return encoded;
}

/** The item that holds each content part; a text that is a whole item maps to itself. */
function owners(items: readonly ResponsesItem[]): ReadonlyMap<unknown, ResponsesItem> {
  const owner = new Map<unknown, ResponsesItem>();
  for (const item of items) {
    if (typeof item.content === 'string') owner.set(item, item);
    else for (const part of contentOf(item)) owner.set(part, item);
  }
  return owner;
}

function encodeRun({ item, parts }: Run): unknown {
  if (item === null)
    return { type: 'message', role: 'assistant', content: parts.map((part) => encodePart(part, 'output_text')) };
  const [first] = parts;
  if (typeof item.content === 'string') {
    if (parts.length === 1 && first?.raw === item) return item;
    if (parts.length === 1 && first?.type === 'text') return { ...item, content: first.text };
    return { ...item, content: parts.map((part) => encodePart(withoutItem(part, item), 'output_text')) };
  }
  const content = parts.map((part) => encodePart(part, 'output_text'));
  return isSameList(contentOf(item), content) ? item : { ...item, content };
}

/** A text that was a whole item becomes one part among others: the item itself is no part. */
function withoutItem(part: ResultContent, item: ResponsesItem): ResultContent {
  return part.type === 'text' && (part.raw ?? part.base) === item ? { type: 'text', text: part.text } : part;
}

/** Reasoning is signed or encrypted: it goes back unedited or not at all. */
function encodeItem(part: Part): readonly unknown[] {
  if (part.raw !== undefined) return [part.raw];
  if (part.type === 'tool-call') return [encodeCall(part)];
  return part.type === 'opaque' && part.base !== undefined ? [part.base] : [];
}

function encodeCall(call: ToolCallPart): WireRecord {
  const base: ResponsesItem = baseOf(call);
  const field = CALL_FIELDS.get(base.type);
  if (field === undefined)
    return { type: 'function_call', call_id: call.callId, name: call.name, arguments: call.arguments };
  // `check` made sure that this parses where it must be an object.
  if (!isTextCall(base.type)) {
    const payload = JSON.parse(call.arguments) as unknown;
    return isRecord(payload) && !isRecord(base[field]) ? { ...base, ...payload } : { ...base, [field]: payload };
  }
  return { ...base, call_id: call.callId, name: call.name, [field]: call.arguments };
}

function withoutId(item: unknown): unknown {
  if (!isRecord(item) || item['id'] === undefined) return item;
  const { id: _id, ...rest } = item;
  return rest;
}
