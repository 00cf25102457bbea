import type { Message } from '../../core/conversation/message.ts';
import { isRecord, type WireRecord } from '../guards.ts';

/**
 * Parts of OpenAI's Responses API carry the id of the item they are on OpenAI's servers. A provider sends such a part as that id alone, so a part
 * that was edited would come back as it was; and an item whose reasoning is gone is refused. Without the id, what is sent is the part itself.
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

/** True when an edit took reasoning out of the message that other items of it may belong to. */
export function lostReasoningItem(message: Message, base: unknown): boolean {
  if (!Array.isArray(base)) return false;
  const kept = new Set(message.parts.map((part) => part.raw));
  return base.some(
    (part: unknown) =>
      isRecord(part) && part['type'] === 'reasoning' && withoutItemId(part) !== part && !kept.has(part),
  );
}
