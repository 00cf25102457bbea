import { isRecord, messageListOf } from '../guards.ts';
import type { AnthropicBlock, AnthropicMessage, AnthropicRequest } from './wire.ts';

/** Counts the `cache_control` markers of a request: its own, and those of tools, system and messages. */
export function countCacheMarkers(wire: unknown): number {
  const request: AnthropicRequest = isRecord(wire) ? wire : {};
  let count = isMarked(request) ? 1 : 0;
  count += countIn(request.tools) + countIn(request.system);
  for (const value of messageListOf(wire) ?? []) {
    const message: AnthropicMessage = isRecord(value) ? value : {};
    count += countIn(message.content);
  }
  return count;
}

function countIn(blocks: unknown): number {
  if (!Array.isArray(blocks)) return 0;
  let count = 0;
  for (const value of blocks) {
    if (!isRecord(value)) continue;
    const block: AnthropicBlock = value;
    if (isMarked(block)) count += 1;
    // Only tool results hold blocks one level further down.
    if (block.type === 'tool_result' && Array.isArray(block.content)) count += block.content.filter(isMarked).length;
  }
  return count;
}

function isMarked(value: unknown): boolean {
  return isRecord(value) && value['cache_control'] !== undefined && value['cache_control'] !== null;
}
