import type { Message, ReasoningPart } from '../../core/conversation/message.ts';
import { isRecord, type WireRecord } from '../guards.ts';
import { encryptedBytes } from '../media/encrypted.ts';
import { kwargsOf } from './calls.ts';
import type { LangChainBlock, LangChainFields } from './wire.ts';

/** Reads reasoning blocks of Anthropic, Bedrock and LangChain itself. */
export function decodeReasoningBlock(block: LangChainBlock): ReasoningPart | null {
  switch (block.type) {
    case 'thinking':
    case 'redacted_thinking':
    case 'reasoning':
    case 'reasoning_content':
      return {
        type: 'reasoning',
        text: reasoningText(block),
        bound: isSigned(block),
        ...encryptedIn([block]),
        raw: block,
      };
    default:
      return null;
  }
}

/** Names that integrations use for reasoning outside the content. */
const KEYS = ['reasoning_content', 'reasoning'] as const;

/** Reasoning outside the content. It has no wire object of its own: it goes or stays with its fields. */
export function decodeKwargsReasoning(fields: LangChainFields): ReasoningPart | null {
  const values = KEYS.map((key) => kwargsOf(fields)[key]).filter(
    (value) => isRecord(value) || (typeof value === 'string' && value !== ''),
  );
  if (values.length === 0) return null;
  const texts = values.map((value) => (isRecord(value) ? reasoningText(value) : String(value)));
  return {
    type: 'reasoning',
    text: texts.find((text) => text !== '') ?? '',
    bound: values.some(isSigned),
    ...encryptedIn(values),
  };
}

/**
 * The fields outside the content that an edited answer must change. OpenAI's own items would be sent in place of the edited message, and call ids
 * belong to reasoning that may be gone.
 */
export function withoutReasoning(message: Message, fields: LangChainFields): WireRecord {
  const { response_metadata: metadata } = fields;
  const isGone = !message.parts.some((part) => part.type === 'reasoning' && part.raw === undefined);
  const wasThere = decodeKwargsReasoning(fields) !== null;
  const dropped = new Set<string>(isGone && wasThere ? [...KEYS, '__openai_function_call_ids__'] : []);
  const entries = Object.entries(kwargsOf(fields)).filter(([key]) => !dropped.has(key));
  const { output, ...rest } = isRecord(metadata) ? metadata : {};
  return {
    ...(dropped.size > 0 ? { additional_kwargs: Object.fromEntries(entries) } : {}),
    ...(Array.isArray(output) ? { response_metadata: rest } : {}),
  };
}

/** Each provider has its own name for the encrypted form. */
function encryptedIn(values: readonly unknown[]): { readonly encrypted?: number } {
  const all = values.filter(isRecord).flatMap((value) => [value, value['reasoningText']].filter(isRecord));
  return encryptedBytes(
    ...all.flatMap((value) => [
      value['signature'],
      value['data'],
      value['encrypted_content'],
      value['redactedContent'],
    ]),
  );
}

function reasoningText(value: WireRecord): string {
  const nested = isRecord(value['reasoningText']) ? value['reasoningText']['text'] : undefined;
  const own = [value['thinking'], value['reasoning'], value['text'], nested].find((text) => typeof text === 'string');
  if (typeof own === 'string') return own;
  const summary = Array.isArray(value['summary']) ? value['summary'] : [];
  return summary
    .map((part: unknown) => (isRecord(part) && typeof part['text'] === 'string' ? part['text'] : ''))
    .join('\n');
}

/** Anthropic signs every block and encrypts some; for others the signature itself tells. */
function isSigned(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const nested = isRecord(value['reasoningText']) ? value['reasoningText']['signature'] : undefined;
  return (
    value['type'] === 'thinking' ||
    value['type'] === 'redacted_thinking' ||
    typeof value['signature'] === 'string' ||
    typeof nested === 'string'
  );
}
