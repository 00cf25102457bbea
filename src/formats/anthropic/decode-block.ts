import type { Part, ResultContent, ToolCallPart, ToolResultPart } from '../../core/conversation/message.ts';
import { decodeContentField } from '../content-field.ts';
import { expectRecord, expectString, isRecord, jsonOf, type Place, stringOrNull, wrongField } from '../guards.ts';
import { hostedBlock } from '../hosted/anthropic-blocks.ts';
import { base64Bytes } from '../media/data-url.ts';
import { encryptedBytes } from '../media/encrypted.ts';
import { imagePart } from '../media/image-part.ts';
import { opaquePart } from '../parts.ts';
import type { AnthropicBlock, AnthropicSource } from './wire.ts';

export function decodeBlock(value: unknown, role: string, { index, field }: Place): Part {
  const block: AnthropicBlock = expectRecord(value, index, field);
  if (role === 'assistant') {
    switch (block.type) {
      case 'thinking':
        return {
          type: 'reasoning',
          text: expectString(block.thinking, index, `${field}.thinking`),
          bound: true,
          ...encryptedBytes(block.signature),
          raw: block,
        };
      case 'redacted_thinking':
        return { type: 'reasoning', text: '', bound: true, ...encryptedBytes(block.data), raw: block };
      case 'tool_use':
        return decodeCall(block, { index, field });
    }
  }
  if (role === 'user' && block.type === 'tool_result') return decodeResult(block, { index, field });
  return decodePlain(block, { index, field });
}

/** Reads blocks that messages of any role and tool results can hold. */
function decodePlain(value: unknown, { index, field }: Place): ResultContent {
  const block: AnthropicBlock = expectRecord(value, index, field);
  switch (block.type) {
    case 'text':
      return { type: 'text', text: expectString(block.text, index, `${field}.text`), raw: block };
    case 'image':
      return decodeImage(block);
    case 'document':
      return decodeDocument(block);
    default:
      return opaquePart(expectString(block.type, index, `${field}.type`), block, hostedBlock(block));
  }
}

function decodeCall(block: AnthropicBlock, { index, field }: Place): ToolCallPart {
  const callId = expectString(block.id, index, `${field}.id`);
  const name = expectString(block.name, index, `${field}.name`);
  const json = jsonOf(expectRecord(block.input, index, `${field}.input`));
  if (json === null)
    throw wrongField(
      { index, field: `${field}.input` },
      'an object neither circular nor nested beyond reason',
      block.input,
    );
  return { type: 'tool-call', callId, name, arguments: json, raw: block };
}

function decodeResult(block: AnthropicBlock, { index, field }: Place): ToolResultPart {
  const callId = expectString(block.tool_use_id, index, `${field}.tool_use_id`);
  const expected = 'a string or an array of blocks';
  return {
    type: 'tool-result',
    callId,
    content: decodeContentField(block.content, { index, field: `${field}.content`, expected }, decodePlain),
    isError: block.is_error === true,
    raw: block,
  };
}

function decodeImage(block: AnthropicBlock): ResultContent {
  const source: AnthropicSource = isRecord(block.source) ? block.source : {};
  return imagePart(block, {
    mediaType: stringOrNull(source.media_type),
    url: stringOrNull(source.url),
    base64: source.type === 'base64' ? stringOrNull(source.data) : null,
  });
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
