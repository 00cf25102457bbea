import type { WireMessage } from './types.ts';

/** Why a provider would refuse these messages; null when it would take them. The rules of OpenAI's chat completions. */
export function unsoundness(messages: readonly WireMessage[]): string | null {
  const open = new Set<string>();
  for (const [index, { role, content, tool_calls = [], tool_call_id }] of messages.entries()) {
    if (role === 'tool') {
      if (!open.delete(tool_call_id ?? '')) return `message ${index + 1}: a result without its call`;
      continue;
    }
    if (open.size > 0) return `message ${index + 1}: ${role} before all calls were answered`;
    for (const { id } of tool_calls) {
      if (open.has(id)) return `message ${index + 1}: two calls with one id`;
      open.add(id);
    }
    if (tool_calls.length === 0 && (content ?? '').trim() === '') return `message ${index + 1}: empty ${role} message`;
  }
  if (open.size > 0) return 'calls without results at the end';
  return messages.some(({ role }) => role === 'user') ? null : 'no message of the user';
}
