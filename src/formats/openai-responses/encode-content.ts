import type { Message, ResultContent, TextPart } from '../../core/conversation/message.ts';
import { bareTextOf, baseOf, nameInText } from '../parts.ts';

/** The type of a text part depends on the speaker. */
export type TextType = 'input_text' | 'output_text';

export function textTypeOf(role: Message['role']): TextType {
  return role === 'assistant' ? 'output_text' : 'input_text';
}

/** A `content` or `output` field: a string for one text where the base had a string, else an array. */
export function encodeContent(
  parts: readonly ResultContent[],
  base: unknown,
  type: TextType,
): string | readonly unknown[] {
  if (parts.length === 0) return '';
  const text = typeof base === 'string' ? bareTextOf(parts) : null;
  return text ?? parts.map((part) => encodePart(part, type));
}

export function encodePart(part: ResultContent, type: TextType): unknown {
  if (part.raw !== undefined) return part.raw;
  switch (part.type) {
    case 'text':
      return encodeText(part, type);
    case 'image':
      if (part.url === null) return part.base ?? { type, text: '[image]' };
      return { type: 'input_image', image_url: part.url, detail: part.detail };
    case 'file':
    case 'opaque':
      return part.base ?? { type, text: nameInText(part) };
  }
}

function encodeText(part: TextPart, type: TextType): unknown {
  const base = baseOf(part);
  if (base['type'] === 'refusal') return { ...base, refusal: part.text };
  return { ...base, type: base['type'] ?? type, text: part.text };
}
