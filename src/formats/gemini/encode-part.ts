import type {
  ImagePart,
  Part,
  ResultContent,
  TextPart,
  ToolCallPart,
  ToolResultPart,
} from '../../core/conversation/message.ts';
import { isRecord, type WireRecord } from '../guards.ts';
import { parseDataUrl } from '../media/data-url.ts';
import { baseOf, nameInText } from '../parts.ts';
import { responseOf } from './response-text.ts';
import { type FieldName, fieldOf, keyOf } from './wire.ts';

/** A part on the wire, with its signature and everything else that was not edited; nothing for a thought without a wire value. */
export function encodePart(part: Part, toolNames: ReadonlyMap<string, string>): readonly unknown[] {
  if (part.raw !== undefined) return [part.raw];
  switch (part.type) {
    case 'text':
      return [encodeText(part)];
    case 'image':
      return [encodeImage(part)];
    case 'tool-call':
      return [encodeCall(part)];
    case 'tool-result':
      return [encodeResponse(part, toolNames)];
    // A thought goes back unedited or not at all.
    case 'reasoning':
      return [];
    case 'file':
    case 'opaque':
      return [part.base ?? { text: nameInText(part) }];
  }
}

function encodeText(part: TextPart): unknown {
  return { ...baseOf(part), text: part.text };
}

function encodeImage(part: ImagePart): unknown {
  if (part.url === null) return part.base ?? { text: '[image]' };
  const data = parseDataUrl(part.url);
  if (data !== null) return { inlineData: { mimeType: data.mediaType ?? 'image/png', data: data.base64 } };
  return { fileData: { mimeType: part.mediaType ?? 'image/png', fileUri: part.url } };
}

function encodeCall(part: ToolCallPart): unknown {
  const base = baseOf(part);
  const { key, body } = bodyOf(base, 'functionCall');
  // `check` made sure that this parses.
  const args: unknown = JSON.parse(part.arguments);
  const id = part.base === undefined ? { id: part.callId } : {};
  return { ...base, [key]: { ...id, ...body, name: part.name, args } };
}

function encodeResponse(part: ToolResultPart, toolNames: ReadonlyMap<string, string>): unknown {
  const base = baseOf(part);
  const { key, body } = bodyOf(base, 'functionResponse');
  const { response: before, parts: _parts, ...rest } = body;
  const texts = part.content.filter((item): item is TextPart => item.type === 'text').map((item) => item.text);
  const media = part.content.filter((item) => item.type !== 'text');
  const response = responseOf(texts.join('\n'), isRecord(before) ? before : {}, part.isError);
  const fresh = part.base === undefined ? { id: part.callId, name: toolNames.get(part.callId) ?? 'unknown' } : {};
  return {
    ...base,
    [key]: { ...fresh, ...rest, response, ...(media.length === 0 ? {} : { parts: media.map(encodeMedia) }) },
  };
}

/** Media next to a function response are never rebuilt. */
function encodeMedia(item: ResultContent): unknown {
  return item.raw ?? item.base ?? (item.type === 'image' ? encodeImage(item) : { text: `[${item.type}]` });
}

function bodyOf(base: WireRecord, field: FieldName): { readonly key: string; readonly body: WireRecord } {
  const body = fieldOf(base, field);
  return { key: keyOf(base, field), body: isRecord(body) ? body : {} };
}
