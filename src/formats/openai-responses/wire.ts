import type { Role } from '../../core/conversation/message.ts';
import { isRecord, type WireRecord } from '../guards.ts';

/** A request body as it arrives: fields are read only after they are checked. */
export interface ResponsesRequest extends WireRecord {
  readonly input?: unknown;
  readonly instructions?: unknown;
}

export interface ResponsesItem extends WireRecord {
  readonly type?: unknown;
  readonly id?: unknown;
  readonly role?: unknown;
  readonly content?: unknown;
  readonly call_id?: unknown;
  readonly name?: unknown;
  readonly arguments?: unknown;
  readonly input?: unknown;
  readonly output?: unknown;
  readonly status?: unknown;
  readonly summary?: unknown;
  readonly encrypted_content?: unknown;
}

const ROLES: ReadonlyMap<unknown, Role> = new Map<unknown, Role>([
  ['system', 'system'],
  ['developer', 'system'],
  ['user', 'user'],
  ['assistant', 'assistant'],
]);

export const ROLE_NAMES = 'system, developer, user, assistant';

export function roleOf(wireRole: unknown): Role | null {
  return ROLES.get(wireRole) ?? null;
}

/** The field that holds the input of each kind of call: text for the first two, an object for the kinds that the provider defines. */
export const CALL_FIELDS: ReadonlyMap<unknown, string> = new Map<unknown, string>([
  ['function_call', 'arguments'],
  ['custom_tool_call', 'input'],
  ['local_shell_call', 'action'],
  ['shell_call', 'action'],
  ['computer_call', 'action'],
  ['apply_patch_call', 'operation'],
]);

export function isTextCall(type: unknown): boolean {
  return type === 'function_call' || type === 'custom_tool_call';
}

/** `function_call` for a `function_call` and for its `function_call_output`. */
export function callTypeOf(type: unknown): string {
  return String(type).replace(/_output$/, '');
}

export const OUTPUT_TYPES: ReadonlySet<unknown> = new Set([
  'function_call_output',
  'custom_tool_call_output',
  'local_shell_call_output',
  'shell_call_output',
  'computer_call_output',
  'apply_patch_call_output',
]);

/** Items that set or carry the state of the conversation, whoever speaks. They hold no words and are always sent. */
export const STATE_TYPES: ReadonlySet<unknown> = new Set([
  'compaction',
  'compaction_trigger',
  'configuration_update',
  'additional_tools',
  'mcp_approval_response',
]);

/** The items of a wire value: the list itself, or the `input` of a request; null for anything else. */
export function itemListOf(wire: unknown): readonly unknown[] | null {
  if (Array.isArray(wire)) return wire;
  const input = isRecord(wire) ? wire['input'] : undefined;
  return Array.isArray(input) ? input : null;
}
