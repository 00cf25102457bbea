import type { Message, ResultContent, TextPart } from '../../core/conversation/message.ts';
import { isRecord } from '../guards.ts';

/** What a text is called: it depends on who speaks. */
export type TextType = 'input_text' | 'output_text';

export function textTypeOf(role: Message['role']): TextType {
  return role === 'assistant' ? 'output_text' : 'input_text';
}

/** A `content` or `output` field: a string where the base had one and one text says it all, else an array. */
export function encodeContent(
  parts: readonly ResultContent[],
  base: unknown,
  type: TextType,
): string | readonly unknown[] {
  const [first] = parts;
  if (first === undefined) return '';
  const isBare = parts.length === 1 && first.type === 'text' && first.raw === undefined && first.base === undefined;
  if (isBare && typeof base === 'string') return first.text;
  return parts.map((part) => encodePart(part, type));
}

export function encodePart(part: ResultContent, type: TextType): unknown {
  if (part.raw !== undefined) return part.raw;
  switch (part.type) {
    case 'text':
      return encodeText(part, type);
    case 'image':
      if (part.url === null) return part.base ?? { type, text: '[image]' };
      return { type: 'input_image', image_url: part.url, detail: part.detail };
    // Neither is ever made anew; what has no wire value can only be named.
    case 'file':
      return part.base ?? { type, text: `[file${part.name === null ? '' : ` ${part.name}`}]` };
    case 'opaque':
      return part.base ?? { type, text: `[${part.kind}]` };
  }
}

function encodeText(part: TextPart, type: TextType): unknown {
  const base = isRecord(part.base) ? part.base : {};
  if (base['type'] === 'refusal') return { ...base, refusal: part.text };
  return { ...base, type: base['type'] ?? type, text: part.text };
}
