import type { Role } from '../../core/conversation/message.ts';
import type { WireRecord } from '../guards.ts';

/** The fields of a LangChain message, in whatever form it is held. Fields are read only after they are checked. */
export interface LangChainFields extends WireRecord {
  readonly content?: unknown;
  readonly id?: unknown;
  readonly name?: unknown;
  readonly tool_calls?: unknown;
  /** Calls whose arguments are not JSON. */
  readonly invalid_tool_calls?: unknown;
  /** Calls and reasoning again, in a provider's shape. */
  readonly additional_kwargs?: unknown;
  readonly response_metadata?: unknown;
  readonly tool_call_id?: unknown;
  readonly status?: unknown;
  readonly role?: unknown;
}

export interface LangChainBlock extends WireRecord {
  readonly type?: unknown;
  readonly text?: unknown;
  readonly id?: unknown;
  readonly name?: unknown;
  /** Arguments of a call in Anthropic blocks: an object, or text while it was streamed. */
  readonly input?: unknown;
  /** Arguments of a call in LangChain blocks. */
  readonly args?: unknown;
  readonly source?: unknown;
  readonly url?: unknown;
  readonly data?: unknown;
  readonly mimeType?: unknown;
  readonly mime_type?: unknown;
}

export const TYPE_NAMES = 'human, ai, system, tool, function, generic';

const ROLES: ReadonlyMap<unknown, Role> = new Map<unknown, Role>([
  ['human', 'user'],
  ['ai', 'assistant'],
  ['system', 'system'],
  ['developer', 'system'],
  ['tool', 'tool'],
  ['function', 'tool'],
  // Roles of a `ChatMessage`, whose type is `generic`.
  ['user', 'user'],
  ['assistant', 'assistant'],
]);

/** The role that belongs to a message type; a generic message names its role itself. Null for a role that cannot be sent. */
export function roleOf(type: unknown, fields: LangChainFields): Role | null {
  const role = ROLES.get(type === 'generic' ? fields.role : type) ?? null;
  return type === 'generic' && role === 'tool' ? null : role;
}

export const TYPES: Readonly<Record<Role, string>> = { user: 'human', assistant: 'ai', system: 'system', tool: 'tool' };

/** Content blocks that repeat a call. */
export const CALL_BLOCKS: ReadonlySet<unknown> = new Set(['tool_use', 'tool_call']);
