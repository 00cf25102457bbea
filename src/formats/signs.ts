import { isRecord, messageListOf, type WireRecord } from './guards.ts';

/** What in a wire value only one of the formats would hold. */
export interface Signs {
  readonly chat: number;
  readonly anthropic: number;
  readonly aiSdk: number;
  /** Messages with a role that any format knows. */
  readonly known: number;
}

/** Counts the signs without trusting any shape: a broken conversation still shows which format it meant to be. */
export function countSigns(wire: unknown): Signs {
  const list = messageListOf(wire);
  if (list === null) return { chat: 0, anthropic: 0, aiSdk: 0, known: 0 };
  let chat = 0;
  let anthropic = 0;
  let aiSdk = 0;
  let known = 0;
  for (const message of list) {
    if (!isRecord(message)) continue;
    if (typeof message['role'] === 'string' && ROLES.has(message['role'])) known += 1;
    const content = message['content'];
    if (typeof message['role'] === 'string' && CHAT_ROLES.has(message['role']) && !isListOfResults(content)) chat += 1;
    if (CHAT_FIELDS.some((field) => message[field] !== undefined)) chat += 1;
    if (message['providerOptions'] !== undefined) aiSdk += 1;
    if (!Array.isArray(content)) continue;
    for (const part of content) {
      const type = isRecord(part) ? part['type'] : undefined;
      if (!isRecord(part) || typeof type !== 'string') continue;
      if (isAiSdkPart(part, type)) aiSdk += 1;
      else if (CHAT_PARTS.has(type)) chat += 1;
      else if (ANTHROPIC_BLOCKS.has(type)) anthropic += 1;
    }
  }
  // The AI SDK takes a prompt beside the messages too.
  if (aiSdk === 0 && isRecord(wire) && (typeof wire['system'] === 'string' || Array.isArray(wire['system'])))
    anthropic += 1;
  return { chat, anthropic, aiSdk, known };
}

/** Tool messages hold one answer each in OpenAI chat; those of the AI SDK hold a list of results. */
function isListOfResults(content: unknown): boolean {
  const [first]: readonly unknown[] = Array.isArray(content) ? content : [];
  return isRecord(first) && (first['type'] === 'tool-result' || first['type'] === 'tool-approval-response');
}

/** Both other formats know `image` and `file` too, but hold the data under another name. */
function isAiSdkPart(part: WireRecord, type: string): boolean {
  if (AI_SDK_PARTS.has(type) || part['providerOptions'] !== undefined) return true;
  return (type === 'image' && part['image'] !== undefined) || (type === 'file' && part['data'] !== undefined);
}

/** How sure a format is, from its own signs and those against it. */
export function score(signs: Signs, own: 'chat' | 'anthropic' | 'aiSdk', plain: number): number {
  const other = signs.chat + signs.anthropic + signs.aiSdk - signs[own];
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
const AI_SDK_PARTS: ReadonlySet<string> = new Set([
  'tool-call',
  'tool-result',
  'reasoning',
  'reasoning-file',
  'tool-approval-request',
  'tool-approval-response',
]);
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
