import { isRecord, messageListOf, type WireRecord } from './guards.ts';

/** Counts of details that only one format would hold. */
export interface Signs {
  readonly chat: number;
  readonly anthropic: number;
  readonly aiSdk: number;
  /** Messages whose role any format knows. */
  readonly known: number;
}

/** Counts signs without trusting any shape: even a broken conversation shows its format. */
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
  // The AI SDK also takes a system prompt next to the messages.
  if (aiSdk === 0 && isRecord(wire) && (typeof wire['system'] === 'string' || Array.isArray(wire['system'])))
    anthropic += 1;
  return { chat, anthropic, aiSdk, known };
}

/** An OpenAI chat tool message holds one answer; an AI SDK tool message holds a list of results. */
function isListOfResults(content: unknown): boolean {
  const [first]: readonly unknown[] = Array.isArray(content) ? content : [];
  return isRecord(first) && (first['type'] === 'tool-result' || first['type'] === 'tool-approval-response');
}

/** Both other formats also have `image` and `file`, but hold the data under another name. */
function isAiSdkPart(part: WireRecord, type: string): boolean {
  if (AI_SDK_PARTS.has(type) || part['providerOptions'] !== undefined) return true;
  return (type === 'image' && part['image'] !== undefined) || (type === 'file' && part['data'] !== undefined);
}

/** Says how sure a format is, given its own signs and those of other formats. `plain` is the answer for plain text without any sign. */
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
