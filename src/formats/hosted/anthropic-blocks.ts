import type { HostedCall } from '../../core/conversation/message.ts';
import { jsonOf, stringOrNull, type WireRecord } from '../guards.ts';
import { readableText } from './readable-text.ts';
import { toolNames } from './tool-names.ts';

/**
 * Reads a block of a tool that Anthropic runs: its call, its result, or what such a tool put into the conversation. Null for blocks that set
 * the state of the conversation (`compaction`, `tool_addition`, …) and for unknown ones.
 */
export function hostedBlock(block: WireRecord): HostedCall | null {
  const type = String(block['type']);
  switch (type) {
    case 'server_tool_use':
    case 'mcp_tool_use':
      return {
        callId: stringOrNull(block['id']),
        name: stringOrNull(block['name']) ?? type,
        arguments: jsonOf(block['input'] ?? {}) ?? '',
        output: null,
      };
    case 'search_result':
    case 'mcp_tool_listing':
    case 'tool_reference':
      return { callId: null, name: type, arguments: null, output: listingText(block) };
    case 'container_upload':
      return { callId: null, name: type, arguments: null, output: '[file put into the container]' };
    default:
      return type.endsWith(RESULT) && type !== 'tool_result' ? hostedResult(block, type) : null;
  }
}

const RESULT = '_tool_result';

function hostedResult(block: WireRecord, type: string): HostedCall {
  const text = readableText(block['content']);
  return {
    callId: stringOrNull(block['tool_use_id']),
    name: type.slice(0, -RESULT.length),
    arguments: null,
    output: block['is_error'] === true ? `failed: ${text}` : text,
  };
}

function listingText({ tools, ...block }: WireRecord): string {
  return [readableText(block), toolNames(tools)].filter((text) => text !== '').join('\n');
}
