import { isRecord, messageListOf } from './guards.ts';

/** What in a wire value only one of the formats would hold. */
export interface Signs {
  readonly chat: number;
  readonly anthropic: number;
  /** Messages with a role that any format knows. */
  readonly known: number;
}

/** Counts the signs without trusting any shape: a broken conversation still shows which format it meant to be. */
export function countSigns(wire: unknown): Signs {
  const list = messageListOf(wire);
  if (list === null) return { chat: 0, anthropic: 0, known: 0 };
  let chat = 0;
  let anthropic = isRecord(wire) && (typeof wire['system'] === 'string' || Array.isArray(wire['system'])) ? 1 : 0;
  let known = 0;
  for (const message of list) {
    if (!isRecord(message)) continue;
    if (typeof message['role'] === 'string' && ROLES.has(message['role'])) known += 1;
    if (typeof message['role'] === 'string' && CHAT_ROLES.has(message['role'])) chat += 1;
    if (CHAT_FIELDS.some((field) => message[field] !== undefined)) chat += 1;
    const content = message['content'];
    if (!Array.isArray(content)) continue;
    for (const part of content) {
      const type = isRecord(part) ? part['type'] : undefined;
      if (typeof type !== 'string') continue;
      if (CHAT_PARTS.has(type)) chat += 1;
      if (ANTHROPIC_BLOCKS.has(type)) anthropic += 1;
    }
  }
  return { chat, anthropic, known };
}

/** How sure a format is, from its own signs and those against it. */
export function score(signs: Signs, own: 'chat' | 'anthropic', plain: number): number {
  const other = own === 'chat' ? signs.anthropic : signs.chat;
  if (signs.known === 0) return 0;
  if (signs[own] === 0) return other === 0 ? plain : 0.1;
  return other === 0 ? 0.95 : 0.9 * (signs[own] / (signs[own] + other));
}

const ROLES: ReadonlySet<string> = new Set(['system', 'developer', 'user', 'assistant', 'tool', 'function']);
const CHAT_ROLES: ReadonlySet<string> = new Set(['developer', 'tool', 'function']);
const CHAT_FIELDS = [
  'tool_calls',
  'tool_call_id',
  'function_call',
  'reasoning_content',
  'reasoning_details',
  'refusal',
] as const;
const CHAT_PARTS: ReadonlySet<string> = new Set(['image_url', 'input_audio', 'file', 'refusal']);
const ANTHROPIC_BLOCKS: ReadonlySet<string> = new Set([
  'tool_use',
  'tool_result',
  'thinking',
  'redacted_thinking',
  'image',
  'document',
  'search_result',
  'server_tool_use',
  'mcp_tool_use',
  'compaction',
]);
