import type { Speaker } from './speakers/speaker.ts';

/**
 * Messages in a shape that all formats share. Each message and part may hold the wire object it came from:
 * `raw` is that very object and is emitted as it is; `base` is the object an edited value was made from,
 * so that keys we do not know (`name`, `cache_control`, …) survive the edit. A message made of several wire objects
 * has no `raw` of its own: its parts do, and its `base` lists them.
 */

/** Who sends a message. Developer messages are `system`. */
export type Role = 'system' | 'user' | 'assistant' | 'tool';

interface FromWire {
  /** The unedited wire value. Emitted by reference. */
  readonly raw?: unknown;
  /** The wire value that this one was edited from. Only keys we do not know are copied from it. */
  readonly base?: unknown;
}

/** Words. */
export interface TextPart extends FromWire {
  /** Discriminant. */
  readonly type: 'text';
  /** The words. */
  readonly text: string;
}

/** A picture. */
export interface ImagePart extends FromWire {
  /** Discriminant. */
  readonly type: 'image';
  /** For instance `image/png`; null when the wire does not say. */
  readonly mediaType: string | null;
  /** Pixel size when it can be read from the data, else null. */
  readonly width: number | null;
  /** The same for the height. */
  readonly height: number | null;
  /** Address or data URL; null when the wire holds an id or bare bytes. */
  readonly url: string | null;
  /** How closely the model looks, which decides the price. */
  readonly detail: 'low' | 'high' | 'auto';
}

/** A document. */
export interface FilePart extends FromWire {
  /** Discriminant. */
  readonly type: 'file';
  /** File name; null when the wire has none. */
  readonly name: string | null;
  /** For instance `application/pdf`; null when the wire does not say. */
  readonly mediaType: string | null;
  /** Size of the decoded data in bytes, 0 when it is only referenced. */
  readonly bytes: number;
}

/** A model's thoughts before its answer. */
export interface ReasoningPart extends FromWire {
  /** Discriminant. */
  readonly type: 'reasoning';
  /** Its words; empty when the provider encrypts them. */
  readonly text: string;
  /** True when a provider checks the block against the messages before it: an edit before it makes it invalid. */
  readonly bound: boolean;
  /** Size in bytes of its encrypted form, signatures included; absent when there is none. The provider reads it in place of `text`. */
  readonly encrypted?: number;
}

/** A call that the model makes. */
export interface ToolCallPart extends FromWire {
  /** Discriminant. */
  readonly type: 'tool-call';
  /** Id that its result names. Some servers reuse ids in later steps. */
  readonly callId: string;
  /** Name of the tool. */
  readonly name: string;
  /** The arguments as text, exactly as on the wire (OpenAI) or as the JSON of the input object (Anthropic). */
  readonly arguments: string;
  /** True when the wire part carries a signature, so the call goes back as it is or not at all. */
  readonly signed?: boolean;
}

/** Everything a tool result can hold. */
export type ResultContent = TextPart | ImagePart | FilePart | OpaquePart;

/** The result of a call. */
export interface ToolResultPart extends FromWire {
  /** Discriminant. */
  readonly type: 'tool-result';
  /** Id of the call it answers. */
  readonly callId: string;
  /** The output, in order. */
  readonly content: readonly ResultContent[];
  /** True when the wire says that the call failed. */
  readonly isError: boolean;
}

/** A part that only its provider can write: kept by reference and never edited, but a compaction may leave it out. */
export interface OpaquePart extends FromWire {
  /** Discriminant. */
  readonly type: 'opaque';
  /** The type that the wire gives it. */
  readonly kind: string;
  /** Its JSON without base64 and encrypted bytes, for counting tokens. */
  readonly json: string;
  /** Number of bytes that `json` leaves out and that are no picture: encrypted text, sounds, files. Absent when there are none. */
  readonly bytes?: number;
  /** Pictures that `json` leaves out. Absent when there are none. */
  readonly pictures?: readonly PictureSize[];
  /** A call that the provider ran itself, its result, or both; absent when the part is neither. */
  readonly hosted?: HostedCall;
}

/** The size of a picture inside a part that only its provider can write. */
export interface PictureSize {
  /** Width in pixels; null when it cannot be read. */
  readonly width: number | null;
  /** The same for the height. */
  readonly height: number | null;
}

/** A call that the provider ran itself, such as a web search. Call and result may stand in two parts of one message, or in one part. */
export interface HostedCall {
  /** Id that joins call and result; null when the wire has none. */
  readonly callId: string | null;
  /** Name of the tool; in a result without a name, that of its kind. */
  readonly name: string;
  /** What it was asked, as JSON or text; null in a part that is only a result. */
  readonly arguments: string | null;
  /** What it found, as text without base64; null in a part that is only a call. */
  readonly output: string | null;
}

/** Everything a message can hold. */
export type Part = TextPart | ImagePart | FilePart | ReasoningPart | ToolCallPart | ToolResultPart | OpaquePart;

/** One message: its role, and its parts. */
export interface Message extends FromWire {
  /** Who sends it. Results are in `tool` messages, or in `user` messages on wires that put them there. */
  readonly role: Role;
  /** Who speaks in a user message, when the host says so: this wins over everything precis would see in its text. No wire has it. */
  readonly speaker?: Speaker;
  /** Its parts, in order. */
  readonly parts: readonly Part[];
}

/** The message with other parts. Wire keys that we do not know stay. */
export function withParts(message: Message, parts: readonly Part[]): Message {
  const base = message.raw ?? message.base;
  const { role, speaker } = message;
  return { role, parts, ...(speaker === undefined ? {} : { speaker }), ...(base === undefined ? {} : { base }) };
}

/** The part with another text. Wire keys that we do not know stay. */
export function withText(part: TextPart, text: string): TextPart {
  const base = part.raw ?? part.base;
  return { type: 'text', text, ...(base === undefined ? {} : { base }) };
}

/** The calls that a message makes, in order. */
export function toolCallsOf(message: Message): readonly ToolCallPart[] {
  return message.parts.filter((part): part is ToolCallPart => part.type === 'tool-call');
}

/** The results that a message holds, in order. */
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

/** All text that a reader of the message sees. */
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
        case 'opaque':
          return `${part.hosted?.arguments ?? ''}\n${part.hosted?.output ?? ''}`;
        default:
          return '';
      }
    })
    .join('\n');
}
