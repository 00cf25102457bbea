import type { ImagePart, Part, TextPart, ToolCallPart, ToolResultPart } from '../../core/conversation/message.ts';
import { parseDataUrl } from '../media/data-url.ts';
import { bareTextOf, baseOf, nameInText } from '../parts.ts';

/** A `content` field: a string for one text, unless the base had blocks; else blocks. */
export function encodeContent(parts: readonly Part[], base: unknown): string | readonly unknown[] {
  const text = Array.isArray(base) ? null : bareTextOf(parts);
  return text ?? encodeBlocks(parts);
}

export function encodeBlocks(parts: readonly Part[]): readonly unknown[] {
  return parts.flatMap(encodePart);
}

function encodePart(part: Part): readonly unknown[] {
  if (part.raw !== undefined) return [part.raw];
  switch (part.type) {
    case 'text':
      return [encodeText(part)];
    case 'image':
      return [encodeImage(part)];
    case 'tool-call':
      return [encodeCall(part)];
    case 'tool-result':
      return [encodeResult(part)];
    // Thinking is signed: it goes back unedited or not at all.
    case 'reasoning':
      return [];
    case 'file':
    case 'opaque':
      return [part.base ?? { type: 'text', text: nameInText(part) }];
  }
}

function encodeText(part: TextPart): unknown {
  return { ...baseOf(part), type: 'text', text: part.text };
}

function encodeCall(part: ToolCallPart): unknown {
  // `check` made sure that this parses.
  const input: unknown = JSON.parse(part.arguments);
  return { ...baseOf(part), type: 'tool_use', id: part.callId, name: part.name, input };
}

function encodeResult(part: ToolResultPart): unknown {
  const { content: before, ...base } = baseOf(part);
  const content = part.content.length === 0 ? {} : { content: encodeContent(part.content, before) };
  const error = part.isError || base['is_error'] !== undefined ? { is_error: part.isError } : {};
  return { ...base, type: 'tool_result', tool_use_id: part.callId, ...content, ...error };
}

function encodeImage(part: ImagePart): unknown {
  if (part.url === null) return part.base ?? { type: 'text', text: '[image]' };
  const data = parseDataUrl(part.url);
  if (data === null) return { type: 'image', source: { type: 'url', url: part.url } };
  return { type: 'image', source: { type: 'base64', media_type: data.mediaType ?? 'image/png', data: data.base64 } };
}
