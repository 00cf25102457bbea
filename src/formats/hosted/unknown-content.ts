import type { HostedCall } from '../../core/conversation/message.ts';
import { stringOrNull, type WireRecord } from '../guards.ts';
import { readableText } from './readable-text.ts';

/** Reads content of an unknown type as something that a tool or a person put there. */
export function unknownContent(part: WireRecord): HostedCall {
  const kind = stringOrNull(part['type']) ?? 'part';
  return { callId: null, name: kind, arguments: null, output: readableText(part) };
}
