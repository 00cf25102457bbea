/**
 * A conversation as every format sees it. Each message and part may hold the wire object it came from:
 * `raw` is that very object and is emitted as it is; `base` is the object an edited value was made from,
 * so that keys we do not know (`name`, `cache_control`, …) survive the edit. A message that is made of several wire
 * objects has no `raw` of its own: its parts have, and `base` lists them.
 */

export type Role = 'system' | 'user' | 'assistant' | 'tool';

interface FromWire {
  /** The wire value this part is, unedited. Emitted by reference. */
  readonly raw?: unknown;
  /** The wire value this part was edited from. Only its unknown keys are taken over. */
  readonly base?: unknown;
}

export interface TextPart extends FromWire {
  readonly type: 'text';
  readonly text: string;
}

export interface ImagePart extends FromWire {
  readonly type: 'image';
  readonly mediaType: string | null;
  /** Pixel size when it can be read from the data, else null. */
  readonly width: number | null;
  readonly height: number | null;
  readonly url: string | null;
  readonly detail: 'low' | 'high' | 'auto';
}

export interface FilePart extends FromWire {
  readonly type: 'file';
  readonly name: string | null;
  readonly mediaType: string | null;
  /** Size of the decoded data in bytes, 0 when it is only referenced. */
  readonly bytes: number;
}

export interface ReasoningPart extends FromWire {
  readonly type: 'reasoning';
  readonly text: string;
  /** True when a provider checks the block against the messages before it: an edit before it makes it invalid. */
  readonly bound: boolean;
}

export interface ToolCallPart extends FromWire {
  readonly type: 'tool-call';
  readonly callId: string;
  readonly name: string;
  /** The arguments as text, exactly as on the wire (OpenAI) or as the JSON of the input object (Anthropic). */
  readonly arguments: string;
}

export type ResultContent = TextPart | ImagePart | FilePart | OpaquePart;

export interface ToolResultPart extends FromWire {
  readonly type: 'tool-result';
  readonly callId: string;
  readonly content: readonly ResultContent[];
  readonly isError: boolean;
}

/** A part this version does not know. Kept by reference, never read, edited or moved. */
export interface OpaquePart extends FromWire {
  readonly type: 'opaque';
  readonly kind: string;
  /** Its JSON, for counting tokens only. */
  readonly json: string;
}

export type Part = TextPart | ImagePart | FilePart | ReasoningPart | ToolCallPart | ToolResultPart | OpaquePart;

export interface Message extends FromWire {
  readonly role: Role;
  readonly parts: readonly Part[];
}

/** The message with other parts, keeping the wire keys it does not know. */
export function withParts(message: Message, parts: readonly Part[]): Message {
  const base = message.raw ?? message.base;
  return { role: message.role, parts, ...(base === undefined ? {} : { base }) };
}

/** The part with another text, keeping the wire keys it does not know. */
export function withText(part: TextPart, text: string): TextPart {
  const base = part.raw ?? part.base;
  return { type: 'text', text, ...(base === undefined ? {} : { base }) };
}

export function toolCallsOf(message: Message): readonly ToolCallPart[] {
  return message.parts.filter((part): part is ToolCallPart => part.type === 'tool-call');
}

export function toolResultsOf(message: Message): readonly ToolResultPart[] {
  return message.parts.filter((part): part is ToolResultPart => part.type === 'tool-result');
}

/** The words of a message: its text parts, without tool calls, tool results and reasoning. */
export function textOf(message: Message): string {
  const texts = message.parts.filter((part): part is TextPart => part.type === 'text').map((part) => part.text);
  return texts.length === 1 ? (texts[0] ?? '') : texts.join('\n');
}

/** The text of a tool result; media and unknown content are left out. */
export function resultTextOf(part: ToolResultPart): string {
  const texts = part.content.filter((item): item is TextPart => item.type === 'text').map((item) => item.text);
  return texts.length === 1 ? (texts[0] ?? '') : texts.join('\n');
}

/** All that a reader of a message sees. */
export function allText(message: Message): string {
  return message.parts
    .map((part) => {
      switch (part.type) {
        case 'text':
          return part.text;
        case 'tool-call':
          return part.arguments;
        case 'tool-result':
          return resultTextOf(part);
        default:
          return '';
      }
    })
    .join('\n');
}
