import type { OpaquePart } from '../core/conversation/message.ts';
import { jsonOf } from './guards.ts';

/** A value this version does not know, kept as it is. */
export function opaquePart(kind: string, raw: unknown): OpaquePart {
  return { type: 'opaque', kind, json: jsonOf(raw) ?? '', raw };
}
