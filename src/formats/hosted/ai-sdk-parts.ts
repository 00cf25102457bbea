import type { HostedCall } from '../../core/conversation/message.ts';
import { isRecord, jsonOf, stringOrNull, type WireRecord } from '../guards.ts';
import { readableText } from './readable-text.ts';

/**
 * Reads a part of the AI SDK that the provider made with a tool of its own: a call that it ran, the result in the same message, a source, or a
 * part of another kind. Null for the server's own compaction, for approvals, which belong to their call, and for unknown parts.
 */
export function hostedAiSdkPart(part: WireRecord): HostedCall | null {
  const callId = stringOrNull(part['toolCallId']);
  const name = stringOrNull(part['toolName']) ?? 'tool';
  switch (part['type']) {
    case 'tool-call':
      return { callId, name, arguments: askedText(part['input']), output: null };
    case 'tool-result':
      return { callId, name, arguments: null, output: outputText(part['output']) };
    case 'source':
      return {
        callId: null,
        name: 'source',
        arguments: null,
        output: readableText({ title: part['title'], url: part['url'] }),
      };
    case 'custom':
      return isCompaction(part) ? null : customPart(part);
    default:
      return null;
  }
}

/** True for a part that holds the server's own compaction: its provider writes that next to the text. */
export function isCompaction(part: WireRecord): boolean {
  const { providerOptions } = part as { readonly providerOptions?: unknown };
  if (/(^|\.)compaction$/.test(String(part['kind']))) return true;
  return (
    isRecord(providerOptions) &&
    Object.values(providerOptions).some((own) => isRecord(own) && own['type'] === 'compaction')
  );
}

function customPart(part: WireRecord): HostedCall {
  const { type: _type, kind, providerOptions, ...rest } = part as Readonly<Record<string, unknown>>;
  const own = isRecord(providerOptions) ? Object.values(providerOptions) : [];
  return { callId: null, name: stringOrNull(kind) ?? 'custom', arguments: null, output: readableText([rest, own]) };
}

function askedText(input: unknown): string {
  return typeof input === 'string' ? input : (jsonOf(input ?? {}) ?? '');
}

function outputText(output: unknown): string {
  if (!isRecord(output)) return readableText(output);
  const text = readableText(output['value'] ?? output['reason']);
  return String(output['type']).startsWith('error') ? `failed: ${text}` : text;
}
