import type { ResultContent, TextPart } from '../../core/conversation/message.ts';
import { isRecord } from '../guards.ts';

/**
 * The `content` field: a string where the base had one and one text says it all, else an array; null for nothing.
 */
export function encodeContent(parts: readonly ResultContent[], base: unknown): string | readonly unknown[] | null {
  const [first] = parts;
  if (first === undefined) return null;
  const isBare = parts.length === 1 && first.type === 'text' && first.raw === undefined && first.base === undefined;
  if (isBare && !Array.isArray(base)) return first.text;
  return parts.map(encodePart);
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
    // Neither is ever made anew; what has no wire value can only be named.
    case 'file':
      return part.base ?? { type: 'text', text: `[file${part.name === null ? '' : ` ${part.name}`}]` };
    case 'opaque':
      return part.base ?? { type: 'text', text: `[${part.kind}]` };
  }
}

function encodeText(part: TextPart): unknown {
  const base = isRecord(part.base) ? part.base : {};
  if (base['type'] === 'refusal') return { ...base, refusal: part.text };
  return { ...base, type: 'text', text: part.text };
}
