import type { HostedCall } from '../../core/conversation/message.ts';
import { jsonOf, stringOrNull, type WireRecord } from '../guards.ts';
import { hostedBlock } from './anthropic-blocks.ts';
import { hostedGeminiPart } from './gemini-parts.ts';
import { readableText } from './readable-text.ts';
import { hostedItem } from './responses-items.ts';
import { unknownContent } from './unknown-content.ts';

/** Blocks that set or carry the state of a conversation, in the spelling of their provider. */
const STATE: ReadonlySet<unknown> = new Set(['compaction', 'tool_addition', 'tool_removal', 'item_reference']);

/**
 * Reads a block of a tool that a provider runs, as LangChain or the provider writes it. Blocks of unknown types are content that the model reads,
 * so they are read as results. Null for state.
 */
export function hostedLangChainBlock(block: WireRecord): HostedCall | null {
  if (STATE.has(block['type'])) return null;
  return ownBlock(block) ?? hostedBlock(block) ?? hostedItem(block) ?? hostedGeminiPart(block) ?? unknownContent(block);
}

function ownBlock(block: WireRecord): HostedCall | null {
  switch (block['type']) {
    case 'server_tool_call':
    case 'server_tool_call_chunk': {
      const { args } = block as { readonly args?: unknown };
      return {
        callId: stringOrNull(block['id']),
        name: stringOrNull(block['name']) ?? 'tool',
        arguments: typeof args === 'string' ? args : (jsonOf(args ?? {}) ?? ''),
        output: null,
      };
    }
    case 'server_tool_call_result': {
      const text = readableText(block['output']);
      return {
        callId: stringOrNull(block['toolCallId']) ?? stringOrNull(block['tool_call_id']),
        name: 'tool',
        arguments: null,
        output: block['status'] === 'error' ? `failed: ${text}` : text,
      };
    }
    default:
      return null;
  }
}
