import type { Role } from '../../core/conversation/message.ts';
import type { WireRecord } from '../guards.ts';

/** A message as it arrives: an object whose fields are read only after they are checked. */
export interface ChatMessage extends WireRecord {
  readonly role?: unknown;
  readonly content?: unknown;
  readonly tool_calls?: unknown;
  readonly tool_call_id?: unknown;
  /** Deprecated way to call a single function; its answer is the next message with role `function`. */
  readonly function_call?: unknown;
  /** Compatible servers send reasoning under one of three names. */
  readonly reasoning_content?: unknown;
  readonly reasoning?: unknown;
  readonly reasoning_details?: unknown;
}

export interface ChatToolCall extends WireRecord {
  readonly id?: unknown;
  readonly type?: unknown;
  readonly function?: unknown;
  readonly custom?: unknown;
}

export interface ChatPart extends WireRecord {
  readonly type?: unknown;
  readonly text?: unknown;
  readonly refusal?: unknown;
  readonly image_url?: unknown;
  readonly input_audio?: unknown;
  readonly file?: unknown;
}

const ROLES: ReadonlyMap<unknown, Role> = new Map<unknown, Role>([
  ['system', 'system'],
  ['developer', 'system'],
  ['user', 'user'],
  ['assistant', 'assistant'],
  ['tool', 'tool'],
  ['function', 'tool'],
]);

export const ROLE_NAMES = 'system, developer, user, assistant, tool';

export function roleOf(wireRole: unknown): Role | null {
  return ROLES.get(wireRole) ?? null;
}

/** Fields of an assistant message that hold content of their own. */
export const SIDE_CONTENT = ['refusal', 'audio'] as const;

export const REASONING_FIELDS = ['reasoning_content', 'reasoning', 'reasoning_details'] as const;
