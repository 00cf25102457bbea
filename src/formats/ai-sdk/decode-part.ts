import type { ReasoningPart, ResultContent } from '../../core/conversation/message.ts';
import { expectRecord, expectString, isRecord, type Place, stringOrNull } from '../guards.ts';
import { hostedAiSdkPart } from '../hosted/ai-sdk-parts.ts';
import { encryptedBytes } from '../media/encrypted.ts';
import { imagePart } from '../media/image-part.ts';
import { opaquePart } from '../parts.ts';
import { headInBase64, readData, sizeInBytes } from './data.ts';
import type { AiPart } from './wire.ts';

/** Reads parts that messages of any role and tool outputs can hold. */
export function decodePlain(value: unknown, { index, field }: Place): ResultContent {
  const part: AiPart = expectRecord(value, index, field);
  const type = expectString(part.type, index, `${field}.type`);
  switch (type) {
    case 'text':
      return { type: 'text', text: expectString(part.text, index, `${field}.text`), raw: part };
    case 'image':
      return decodeImage(part, part.image);
    case 'file':
      return decodeFile(part);
    // Tool outputs have other names for the same parts.
    case 'media':
    case 'image-data':
    case 'file-data':
      return isImage(part) ? decodeImage(part, part.data) : decodeFile(part);
    case 'image-url':
      return decodeImage(part, part.url);
    // The content of these is elsewhere.
    case 'file-url':
    case 'file-id':
    case 'file-reference':
      return { ...fileFields(part), bytes: 0, raw: part };
    case 'image-file-id':
    case 'image-file-reference':
      return imagePart(part, { mediaType: null, url: null, base64: null });
    default:
      return opaquePart(type, part, hostedAiSdkPart(part));
  }
}

export function decodeReasoning(part: AiPart, { index, field }: Place): ReasoningPart {
  const text = expectString(part.text, index, `${field}.text`);
  const { providerOptions } = part;
  const own = isRecord(providerOptions) ? Object.values(providerOptions).filter(isRecord) : [];
  const encrypted = encryptedBytes(...own.flatMap((options) => ENCRYPTED.map((field) => options[field])));
  return { type: 'reasoning', text, bound: isSigned(providerOptions), ...encrypted, raw: part };
}

/** Fields in which providers keep the encrypted form of a thought. */
const ENCRYPTED = ['signature', 'redactedData', 'reasoningEncryptedContent', 'thoughtSignature'] as const;

/** Each provider keeps the signature that binds reasoning to earlier messages under its own name. */
function isSigned(providerOptions: unknown): boolean {
  if (!isRecord(providerOptions)) return false;
  return Object.values(providerOptions).some(
    (own) => isRecord(own) && (typeof own['signature'] === 'string' || typeof own['redactedData'] === 'string'),
  );
}

function decodeImage(part: AiPart, value: unknown): ResultContent {
  const data = readData(value);
  return imagePart(part, {
    mediaType: stringOrNull(part.mediaType) ?? (data.type === 'base64' ? data.mediaType : null),
    url: data.type === 'url' ? data.url : null,
    base64: headInBase64(data),
  });
}

/** Version 7 writes images as files too. */
function decodeFile(part: AiPart): ResultContent {
  if (isImage(part)) return decodeImage(part, part.data);
  return { ...fileFields(part), bytes: sizeInBytes(readData(part.data)), raw: part };
}

function fileFields(part: AiPart): {
  readonly type: 'file';
  readonly name: string | null;
  readonly mediaType: string | null;
} {
  return { type: 'file', name: stringOrNull(part.filename), mediaType: stringOrNull(part.mediaType) };
}

function isImage(part: AiPart): boolean {
  return typeof part.mediaType === 'string' && /^image(\/|$)/.test(part.mediaType);
}
