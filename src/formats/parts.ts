import type { FilePart, HostedCall, OpaquePart, Part, ResultContent, TextPart } from '../core/conversation/message.ts';
import { isRecord, type WireRecord } from './guards.ts';
import { withoutBytes } from './media/without-bytes.ts';

/** Makes one text part; none for an empty text. */
export function textParts(text: string): readonly TextPart[] {
  return text === '' ? [] : [{ type: 'text', text }];
}

/** Keeps a value that only its provider can write, unchanged. */
export function opaquePart(kind: string, raw: unknown, hosted: HostedCall | null = null): OpaquePart {
  const { json, bytes, pictures } = withoutBytes(raw);
  return {
    type: 'opaque',
    kind,
    json,
    ...(bytes === 0 ? {} : { bytes }),
    ...(pictures.length === 0 ? {} : { pictures }),
    ...(hosted === null ? {} : { hosted }),
    raw,
  };
}

/** Names a file or an unknown part that has no wire value: no encoder can build one, so the name replaces it. */
export function nameInText(part: FilePart | OpaquePart): string {
  if (part.type === 'opaque') return `[${part.kind}]`;
  return `[file${part.name === null ? '' : ` ${part.name}`}]`;
}

/** Returns the wire object that a part was edited from; empty for a new part. */
export function baseOf(part: Part): WireRecord {
  return isRecord(part.base) ? part.base : {};
}

/** True for parts that both a message and a tool result can hold. */
export function isResultContent(part: Part): part is ResultContent {
  return part.type === 'text' || part.type === 'image' || part.type === 'file' || part.type === 'opaque';
}

/** The text of content that is one text without a wire object of its own; null for any other content. */
export function bareTextOf(parts: readonly Part[]): string | null {
  const [first] = parts;
  const isBare = parts.length === 1 && first?.type === 'text' && first.raw === undefined && first.base === undefined;
  return isBare ? first.text : null;
}
