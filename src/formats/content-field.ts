import type { Part, TextPart } from '../core/conversation/message.ts';
import { expectArray, type Place } from './guards.ts';
import { textParts } from './parts.ts';

interface ContentPlace extends Place {
  /** Values the field may hold, named in the error. */
  readonly expected: string;
}

/** Reads a `content` field: nothing, one text, or a list whose items `decodeItem` reads. */
export function decodeContentField<Item extends Part>(
  content: unknown,
  { index, field, expected }: ContentPlace,
  decodeItem: (value: unknown, place: Place) => Item,
): readonly (Item | TextPart)[] {
  if (content === undefined || content === null) return [];
  if (typeof content === 'string') return textParts(content);
  return expectArray(content, { index, field }, expected).map((item, at) =>
    decodeItem(item, { index, field: `${field}[${at}]` }),
  );
}
