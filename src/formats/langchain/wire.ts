import type { Role } from '../../core/conversation/message.ts';
import type { WireRecord } from '../guards.ts';

/** What a message of LangChain holds, whichever way it is held. Fields are read only after they are checked. */
export interface LangChainFields extends WireRecord {
  readonly content?: unknown;
  readonly id?: unknown;
  readonly name?: unknown;
  readonly tool_calls?: unknown;
  /** Calls whose arguments are no JSON. */
  readonly invalid_tool_calls?: unknown;
  /** Calls and reasoning again, in the words of a provider. */
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
  /** Arguments of a call, in blocks as Anthropic writes them (an object, or text while it was streamed) … */
  readonly input?: unknown;
  /** … and in LangChain's own. */
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

/** The role of a message by its type; a generic one has a role of its own. Null when it is none that can be sent. */
export function roleOf(type: unknown, fields: LangChainFields): Role | null {
  const role = ROLES.get(type === 'generic' ? fields.role : type) ?? null;
  return type === 'generic' && role === 'tool' ? null : role;
}

export const TYPES: Readonly<Record<Role, string>> = { user: 'human', assistant: 'ai', system: 'system', tool: 'tool' };

/** Blocks of an assistant's content that say a call once more. */
export const CALL_BLOCKS: ReadonlySet<unknown> = new Set(['tool_use', 'tool_call']);
