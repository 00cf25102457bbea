import type { WireRecord } from '../guards.ts';
import { parseObject } from '../json-object.ts';
import type { LoseHere, PlainCall, PlainContent, PlainMessage, PlainSpeech } from './plain.ts';

/** Splits off the leading system messages, for formats that keep the prompt in a field of its own. */
export function splitPrompts(messages: readonly PlainMessage[]): {
  readonly prompts: readonly string[];
  readonly rest: readonly PlainMessage[];
} {
  const start = messages.findIndex((message) => message.role !== 'system');
  const leading = start < 0 ? messages : messages.slice(0, start);
  return {
    prompts: leading.flatMap((message) => (message.role === 'system' ? [message.text] : [])),
    rest: messages.slice(leading.length),
  };
}

/** One text is written as a string. */
export function bareText(content: readonly WireRecord[]): unknown {
  const [first] = content;
  return content.length === 1 && first?.['type'] === 'text' ? first['text'] : content;
}

/** Sorts an answer for formats that keep words, reasoning and calls in separate fields. */
export function sortSpeech(
  content: readonly PlainSpeech[],
  lose: LoseHere,
): {
  readonly words: readonly PlainContent[];
  readonly reasoning: readonly string[];
  readonly calls: readonly PlainCall[];
} {
  const firstCall = content.findIndex((part) => part.type === 'tool-call');
  if (firstCall >= 0 && content.slice(firstCall).some((part) => part.type === 'text'))
    lose('text behind a tool call stands before it');
  return {
    words: content.filter((part) => part.type === 'text' || part.type === 'media'),
    reasoning: content.flatMap((part) => (part.type === 'reasoning' ? [part.text] : [])),
    calls: content.filter((part) => part.type === 'tool-call'),
  };
}

/** The arguments of a call as an object, which the wire calls `field`. Arguments that are no JSON object go into its `input`. */
export function objectInput({ callId, arguments: text }: PlainCall, field: string, lose: LoseHere): WireRecord {
  if (text === '') return {};
  const input = parseObject(text);
  if (input !== null) return input;
  lose(`the arguments of the call \`${callId}\` are no JSON object; they stand in \`${field}.input\``);
  return { input: text };
}
