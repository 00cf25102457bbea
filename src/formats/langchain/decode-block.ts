import type { ImagePart, ResultContent } from '../../core/conversation/message.ts';
import { decodeContentField } from '../content-field.ts';
import { expectRecord, expectString, isRecord, type Place } from '../guards.ts';
import { hostedLangChainBlock } from '../hosted/langchain-blocks.ts';
import { bytesOf } from '../media/bytes.ts';
import { base64Bytes, parseDataUrl } from '../media/data-url.ts';
import { imagePart } from '../media/image-part.ts';
import { opaquePart } from '../parts.ts';
import type { LangChainBlock } from './wire.ts';

/** The content of a message or tool result: a string or an array of blocks. */
export function decodeContent(content: unknown, index: number): readonly ResultContent[] {
  const expected = 'a string or an array of blocks';
  return decodeContentField(content, { index, field: 'content', expected }, decodeBlock);
}

/** Reads a block as either version of LangChain, OpenAI, Anthropic or Google writes it. */
export function decodeBlock(value: unknown, { index, field }: Place): ResultContent {
  if (typeof value === 'string') return { type: 'text', text: value, raw: value };
  const block: LangChainBlock = expectRecord(value, index, field);
  const type = expectString(block.type, index, `${field}.type`);
  switch (type) {
    case 'text':
      // Plain text files once had this type.
      if (typeof block.text !== 'string' && block['source_type'] !== undefined)
        return opaquePart(type, block, hostedLangChainBlock(block));
      return { type: 'text', text: expectString(block.text, index, `${field}.text`), raw: block };
    case 'image':
    case 'image_url':
      return decodeImage(block);
    case 'file':
    case 'audio':
    case 'video':
    case 'document':
    case 'media':
    case 'text-plain':
      return decodeFile(block);
    default:
      return opaquePart(type, block, hostedLangChainBlock(block));
  }
}

/** Where the bytes of a block are. */
export interface BlockData {
  readonly mediaType: string | null;
  readonly base64: string | null;
  readonly bytes: Uint8Array | null;
  readonly url: string | null;
  readonly text: string | null;
}

export function dataOf(block: LangChainBlock): BlockData {
  const source = isRecord(block.source) ? block.source : {};
  const image = isRecord(block['image_url']) ? block['image_url']['url'] : block['image_url'];
  const file = isRecord(block['file']) ? block['file']['file_data'] : undefined;
  const link = stringIn(image, file, block.url, source['url'], block['fileUri']);
  const inline = link === null ? null : parseDataUrl(link);
  const data = block.data ?? source['data'];
  const isText = source['type'] === 'text';
  return {
    mediaType: stringIn(block.mimeType, block.mime_type, source['media_type'], inline?.mediaType),
    base64: inline?.base64 ?? (typeof data === 'string' && !isText ? data : null),
    bytes: bytesOf(data),
    url: inline === null ? link : null,
    text: isText ? stringIn(data) : stringIn(block.text),
  };
}

function decodeImage(block: LangChainBlock): ImagePart {
  const { mediaType, base64, url } = dataOf(block);
  const detail = isRecord(block['image_url']) ? block['image_url']['detail'] : undefined;
  return imagePart(block, { mediaType, base64, url, detail });
}

function decodeFile(block: LangChainBlock): ResultContent {
  const { mediaType, base64, bytes, text } = dataOf(block);
  const size = base64 === null ? (bytes?.length ?? text?.length ?? 0) : base64Bytes(base64);
  return { type: 'file', name: fileNameOf(block), mediaType, bytes: size, raw: block };
}

function fileNameOf(block: LangChainBlock): string | null {
  const metadata = isRecord(block['metadata']) ? block['metadata'] : {};
  const file = isRecord(block['file']) ? block['file'] : {};
  return stringIn(block['title'], metadata['filename'], metadata['name'], metadata['title'], file['filename']);
}

function stringIn(...values: readonly unknown[]): string | null {
  return values.find((value): value is string => typeof value === 'string') ?? null;
}
