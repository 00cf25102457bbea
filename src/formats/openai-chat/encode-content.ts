import type { ResultContent, TextPart } from '../../core/conversation/message.ts';
import { bareTextOf, baseOf, nameInText } from '../parts.ts';

/** The `content` field: a string for one text, unless the base had an array; else an array; null for nothing. */
export function encodeContent(parts: readonly ResultContent[], base: unknown): string | readonly unknown[] | null {
  if (parts.length === 0) return null;
  const text = Array.isArray(base) ? null : bareTextOf(parts);
  return text ?? parts.map(encodePart);
}

function encodePart(part: ResultContent): unknown {
  if (part.raw !== undefined) return part.raw;
  switch (part.type) {
    case 'text':
      return encodeText(part);
    case 'image':
      if (part.url === null) return { type: 'text', text: '[image]' };
      return {
        type: 'image_url',
        image_url: { url: part.url, ...(part.detail === 'auto' ? {} : { detail: part.detail }) },
      };
    case 'file':
    case 'opaque':
      return part.base ?? { type: 'text', text: nameInText(part) };
  }
}

function encodeText(part: TextPart): unknown {
  const base = baseOf(part);
  if (base['type'] === 'refusal') return { ...base, refusal: part.text };
  return { ...base, type: 'text', text: part.text };
}
