import {
  type Message,
  type Part,
  resultTextOf,
  type ToolCallPart,
  type ToolResultPart,
  toolCallsOf,
  withParts,
} from '../conversation/message.ts';
import { refOfResult } from '../conversation/ref.ts';
import type { TokenCounter } from '../tokens/counter.ts';
import { trimText } from './trim.ts';

/** How large tool results may be when they enter the view. */
export interface TrimOptions {
  /** Results of more tokens are trimmed as they come in. @default 4000 */
  readonly tokens?: number;
  /** Other limits for tools by name; `false` never trims. */
  readonly tools?: Readonly<Record<string, number | false>>;
}

const TRIM_TOKENS = 4_000;
/** No text has fewer characters to a token than this, so that short results need no counting. */
const LEAST_CHARS = 1;

/**
 * The form a message has in the view from the moment it comes in: head, tail and telling lines of a huge result, with a ref to the whole. This
 * never changes what was sent before, so it is the cheapest cut of all. A pure function of the message.
 */
export function shownForm(
  message: Message,
  { callOf }: CallIndex,
  options: TrimOptions,
  counter: TokenCounter,
): Message {
  const parts = message.parts.map((part) =>
    part.type === 'tool-result' ? trimmed(part, limitFor(callOf(part.callId)?.name, options), counter) : part,
  );
  return parts.every((part, index) => part === message.parts[index]) ? message : withParts(message, parts);
}

/** The calls of a history by their id, the newest where a server reuses ids. */
export interface CallIndex {
  learn(message: Message): void;
  callOf(callId: string): ToolCallPart | undefined;
}

export function createCallIndex(): CallIndex {
  const calls = new Map<string, ToolCallPart>();
  return {
    learn: (message) => {
      for (const call of toolCallsOf(message)) calls.set(call.callId, call);
    },
    callOf: (callId) => calls.get(callId),
  };
}

function limitFor(name: string | undefined, { tokens = TRIM_TOKENS, tools = {} }: TrimOptions): number | false {
  // Names come from a model: one may be called `constructor`.
  return (name !== undefined && Object.hasOwn(tools, name) ? tools[name] : undefined) ?? tokens;
}

function trimmed(part: ToolResultPart, limit: number | false, counter: TokenCounter): Part {
  const text = resultTextOf(part);
  if (limit === false || text.length <= limit * LEAST_CHARS || part.content.some((item) => item.type === 'opaque'))
    return part;
  const tokens = counter.count(text);
  if (tokens <= limit) return part;
  const short = trimText(text, Math.floor((text.length * limit) / tokens), refOfResult(part));
  if (short.length >= text.length) return part;
  const { raw, ...rest } = part;
  const media = part.content.filter((item) => item.type !== 'text');
  return { ...rest, content: [{ type: 'text', text: short }, ...media], ...(raw === undefined ? {} : { base: raw }) };
}
