import type { Message } from '../../core/conversation/message.ts';
import type { Numbered } from '../pairs/mend.ts';
import type { ReadItem } from './decode-item.ts';

/**
 * Groups items into messages. Everything the assistant said in one go is one message: reasoning with all that follows it, parallel calls, words and
 * the calls behind them. A step therefore holds the items that the provider wants back together or not at all (RESP-2, RESP-3).
 */
export function groupItems(items: readonly ReadItem[]): readonly Numbered[] {
  const messages: Numbered[] = [];
  let open: ReadItem[] = [];
  const close = (): void => {
    if (open.length > 0) messages.push({ index: open[0]?.index ?? 0, message: assistantMessage(open) });
    open = [];
  };
  for (const item of items) {
    if (!isPiece(item) && !answersRequest(open, item)) {
      close();
      messages.push({ index: item.index, message: ownMessage(item) });
      continue;
    }
    if (isPiece(item) && !joins(open, item)) close();
    // No part stands for an empty item, so it is a message of its own.
    const isAlone = item.parts.length === 0;
    if (isAlone) close();
    open.push(item);
    if (isAlone) close();
  }
  close();
  return messages;
}

function isPiece({ kind }: ReadItem): boolean {
  return kind === 'said' || kind === 'reasoning' || kind === 'call' || kind === 'reference' || kind === 'other';
}

/** True for the answer to an approval request of the open message: the API refuses one without the other. */
function answersRequest(open: readonly ReadItem[], { item }: ReadItem): boolean {
  if (item.type !== 'mcp_approval_response') return false;
  return open.some((each) => each.item.type === 'mcp_approval_request' && each.item.id === item['approval_request_id']);
}

/** True when an item belongs to the message that the assistant is in. */
function joins(open: readonly ReadItem[], { kind }: ReadItem): boolean {
  const has = (wanted: ReadItem['kind']): boolean => open.some((item) => item.kind === wanted);
  // Calls hold everything together until their outputs come; a reference may point to anything.
  if (has('call') || has('reference')) return true;
  if (kind === 'reasoning') return open.every((item) => item.kind === 'reasoning');
  if (has('reasoning')) return true;
  return kind === 'reference' || (kind === 'call' && open.at(-1)?.kind === 'said');
}

function ownMessage({ kind, item, parts }: ReadItem): Message {
  // A mended result has to be encoded again.
  if (kind === 'output')
    return { role: 'tool', parts, ...(parts[0]?.raw === undefined ? { base: item } : { raw: item }) };
  return { role: kind === 'user' ? 'user' : 'system', parts, raw: item };
}

/** No single wire object is a message of several items: its parts keep theirs, and `base` lists the items in order. */
function assistantMessage(pieces: readonly ReadItem[]): Message {
  const parts = pieces.flatMap((piece) => piece.parts);
  const [only] = pieces;
  if (pieces.length === 1 && only !== undefined) return { role: 'assistant', parts, raw: only.item };
  return { role: 'assistant', parts, base: pieces.map((piece) => piece.item) };
}
