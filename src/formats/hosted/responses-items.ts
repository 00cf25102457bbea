import type { HostedCall } from '../../core/conversation/message.ts';
import { isRecord, jsonOf, stringOrNull, type WireRecord } from '../guards.ts';
import { readableText } from './readable-text.ts';
import { toolNames } from './tool-names.ts';

/**
 * Reads an item of a tool that OpenAI runs. Most items hold call and result together. Null for items that set the state of the conversation
 * (`compaction`, `additional_tools`, …) and for unknown ones.
 */
export function hostedItem(item: WireRecord): HostedCall | null {
  const type = String(item['type']);
  const call = callOf(item, type);
  if (call === null) return null;
  const { name = toolOf(type), asked, found } = call;
  return {
    callId: stringOrNull(item['call_id']) ?? stringOrNull(item['approval_request_id']) ?? stringOrNull(item['id']),
    name,
    arguments: asked,
    output: found,
  };
}

interface ItemCall {
  readonly name?: string;
  readonly asked: string | null;
  readonly found: string | null;
}

function callOf(item: WireRecord, type: string): ItemCall | null {
  switch (type) {
    case 'web_search_call':
      return webSearch(item['action']);
    case 'file_search_call':
      return { asked: jsonOf({ queries: item['queries'] }), found: foundText(item['results']) };
    case 'code_interpreter_call':
      return { asked: stringOrNull(item['code']), found: foundText(item['outputs']) };
    case 'image_generation_call':
      return { asked: stringOrNull(item['revised_prompt']), found: foundText(item['result']) };
    case 'mcp_call':
      return {
        name: stringOrNull(item['name']) ?? 'mcp',
        asked: textOrJson(item['arguments']),
        found: foundText([item['output'], labelledError(item['error'])]),
      };
    case 'mcp_list_tools':
      return { asked: jsonOf({ server: item['server_label'] }), found: listing(item) };
    case 'mcp_approval_request':
      return { asked: jsonOf({ tool: item['name'], arguments: item['arguments'] }), found: null };
    case 'mcp_approval_response':
      return { asked: null, found: readableText([item['approve'] === true ? 'approved' : 'denied', item['reason']]) };
    case 'tool_search_call':
      return { asked: textOrJson(item['arguments']), found: null };
    case 'tool_search_output':
      return { asked: null, found: listing(item) };
    case 'program':
      return { asked: stringOrNull(item['code']), found: null };
    case 'program_output':
      return { asked: null, found: readableText(item['result']) };
    default:
      return unpaired(item, type);
  }
}

/** Calls and outputs that have no id to pair by. */
function unpaired(item: WireRecord, type: string): ItemCall | null {
  if (/^(local_shell|shell|computer|apply_patch)_call$/.test(type))
    return { asked: textOrJson(item['action'] ?? item['actions'] ?? item['operation']), found: null };
  return type.endsWith('_call_output') ? { asked: null, found: readableText(item['output']) } : null;
}

function webSearch(action: unknown): ItemCall {
  if (!isRecord(action)) return { asked: null, found: null };
  const { sources, type: _type, ...asked } = action;
  return { asked: jsonOf(asked), found: foundText(sources) };
}

function listing(item: WireRecord): string {
  return readableText([toolNames(item['tools']), labelledError(item['error'])]);
}

function labelledError(error: unknown): string | null {
  const text = readableText(error);
  return text === '' ? null : `error: ${text}`;
}

/** Null when the item does not show what the tool found. */
function foundText(value: unknown): string | null {
  const text = readableText(value);
  return text === '' ? null : text;
}

function textOrJson(value: unknown): string | null {
  return typeof value === 'string' ? value : jsonOf(value);
}

/** `web_search` for a `web_search_call`. */
function toolOf(type: string): string {
  return type.replace(/(_call)?(_output)?$/, '');
}
