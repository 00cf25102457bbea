import type { OpaquePart, Part, ResultContent, ToolCallPart, ToolResultPart } from '../../core/conversation/message.ts';
import { expectRecord, expectString, isRecord, jsonOf, wrongField } from '../guards.ts';
import { base64Bytes } from '../media/data-url.ts';
import { imageSizeOf } from '../media/image-size.ts';
import type { AnthropicBlock, AnthropicSource } from './wire.ts';

/** Where a block stands, for errors. */
export interface Place {
  readonly index: number;
  readonly field: string;
}

export function decodeBlock(value: unknown, role: string, { index, field }: Place): Part {
  const block: AnthropicBlock = expectRecord(value, index, field);
  if (role === 'assistant') {
    switch (block.type) {
      case 'thinking':
        return {
          type: 'reasoning',
          text: expectString(block.thinking, index, `${field}.thinking`),
          bound: true,
          raw: block,
        };
      case 'redacted_thinking':
        return { type: 'reasoning', text: '', bound: true, raw: block };
      case 'tool_use':
        return decodeCall(block, { index, field });
    }
  }
  if (role === 'user' && block.type === 'tool_result') return decodeResult(block, { index, field });
  return decodePlain(block, { index, field });
}

/** Blocks that stand in messages of any role and inside tool results. */
function decodePlain(block: AnthropicBlock, { index, field }: Place): ResultContent {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: expectString(block.text, index, `${field}.text`), raw: block };
    case 'image':
      return decodeImage(block);
    case 'document':
      return decodeDocument(block);
    default:
      return opaque(expectString(block.type, index, `${field}.type`), block);
  }
}

/** A value this version does not know, kept as it is. */
export function opaque(kind: string, raw: unknown): OpaquePart {
  return { type: 'opaque', kind, json: jsonOf(raw) ?? '', raw };
}

function decodeCall(block: AnthropicBlock, { index, field }: Place): ToolCallPart {
  const callId = expectString(block.id, index, `${field}.id`);
  const name = expectString(block.name, index, `${field}.name`);
  const json = jsonOf(expectRecord(block.input, index, `${field}.input`));
  if (json === null)
    throw wrongField(index, `${field}.input`, 'an object neither circular nor nested beyond reason', block.input);
  return { type: 'tool-call', callId, name, arguments: json, raw: block };
}

function decodeResult(block: AnthropicBlock, { index, field }: Place): ToolResultPart {
  const callId = expectString(block.tool_use_id, index, `${field}.tool_use_id`);
  return {
    type: 'tool-result',
    callId,
    content: decodeResultContent(block.content, { index, field: `${field}.content` }),
    isError: block.is_error === true,
    raw: block,
  };
}

function decodeResultContent(content: unknown, { index, field }: Place): readonly ResultContent[] {
  if (content === undefined || content === null || content === '') return [];
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  if (!Array.isArray(content)) throw wrongField(index, field, 'a string or an array of blocks', content);
  return content.map((block: unknown, at) => {
    const place = { index, field: `${field}[${at}]` };
    return decodePlain(expectRecord(block, index, place.field), place);
  });
}

function decodeImage(block: AnthropicBlock): ResultContent {
  const source: AnthropicSource = isRecord(block.source) ? block.source : {};
  const size = source.type === 'base64' && typeof source.data === 'string' ? imageSizeOf(source.data) : null;
  return {
    type: 'image',
    mediaType: stringOrNull(source.media_type),
    width: size?.width ?? null,
    height: size?.height ?? null,
    url: stringOrNull(source.url),
    detail: 'auto',
    raw: block,
  };
}

function decodeDocument(block: AnthropicBlock): ResultContent {
  const source: AnthropicSource = isRecord(block.source) ? block.source : {};
  return {
    type: 'file',
    name: stringOrNull(block.title),
    mediaType: stringOrNull(source.media_type),
    bytes: sourceBytes(source),
    raw: block,
  };
}

function sourceBytes(source: AnthropicSource): number {
  if (source.type === 'content') return jsonOf(source['content'])?.length ?? 0;
  if (typeof source.data !== 'string') return 0;
  return source.type === 'base64' ? base64Bytes(source.data) : source.data.length;
}

function stringOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
