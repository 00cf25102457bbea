import type { Message } from '../../core/conversation/message.ts';
import { isRecord, type WireRecord } from '../guards.ts';

/**
 * Removes the id under which OpenAI's servers keep an item of the Responses API. The provider sends such a part as its id alone, so OpenAI would read
 * the unedited item, and it refuses an item whose reasoning is gone. Without the id the provider sends the part itself.
 */
export function withoutItemId(part: WireRecord): WireRecord {
  const { providerOptions } = part as { readonly providerOptions?: unknown };
  if (!isRecord(providerOptions)) return part;
  const entries = Object.entries(providerOptions).map(([provider, own]): readonly [string, unknown] => {
    if (!isRecord(own) || own['itemId'] === undefined) return [provider, own];
    const { itemId: _itemId, ...rest } = own;
    return [provider, rest];
  });
  const isSame = entries.every(([provider, own]) => own === providerOptions[provider]);
  return isSame ? part : { ...part, providerOptions: Object.fromEntries(entries) };
}

/** True when an edit removed reasoning that other items of the message may belong to. */
export function lostReasoningItem(message: Message, base: unknown): boolean {
  if (!Array.isArray(base)) return false;
  const kept = new Set(message.parts.map((part) => part.raw));
  return base.some(
    (part: unknown) =>
      isRecord(part) && part['type'] === 'reasoning' && withoutItemId(part) !== part && !kept.has(part),
  );
}
