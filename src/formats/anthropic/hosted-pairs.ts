import type { SoundnessIssue } from '../../core/conversation/issue.ts';
import type { Message } from '../../core/conversation/message.ts';
import { isRecord } from '../guards.ts';

/** Finds edited messages that kept a call of the provider's own tools without its result, or the result without its call (ANT-8). */
export function hostedPairIssues(messages: readonly Message[]): readonly SoundnessIssue[] {
  return messages.flatMap((message, index) => {
    const before = message.raw === undefined ? blocksOf(message.base) : [];
    const kept = new Set(message.parts.map((part) => part.raw ?? part.base));
    const gone = new Set(before.filter((block) => !kept.has(block)).map(idOf));
    return before
      .filter((block) => kept.has(block) && gone.has(idOf(block)))
      .map((block) => ({
        rule: 'ANT-8',
        message: index,
        text: `the call \`${String(idOf(block))}\` of a hosted tool and its result must stay together`,
      }));
  });
}

function blocksOf(base: unknown): readonly unknown[] {
  const content = isRecord(base) ? base['content'] : undefined;
  return Array.isArray(content) ? content.filter(isHosted) : [];
}

function isHosted(block: unknown): boolean {
  const type = isRecord(block) ? String(block['type']) : '';
  return type === 'server_tool_use' || type === 'mcp_tool_use' || /._tool_result$/.test(type);
}

function idOf(block: unknown): unknown {
  return isRecord(block) ? (block['tool_use_id'] ?? block['id']) : undefined;
}
