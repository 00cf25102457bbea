/**
 * A conversation without anything of a wire: what every format can be built from. `index` is the place of a message in the conversation it
 * comes from, for what has to be said about it.
 */
export type PlainMessage =
  | { readonly index: number; readonly role: 'system'; readonly text: string }
  | { readonly index: number; readonly role: 'user'; readonly content: readonly PlainContent[] }
  | { readonly index: number; readonly role: 'assistant'; readonly content: readonly PlainSpeech[] }
  | { readonly index: number; readonly role: 'tool'; readonly results: readonly PlainResult[] };

export type PlainContent = PlainText | PlainMedia;
export type PlainSpeech = PlainContent | PlainReasoning | PlainCall;

export interface PlainText {
  readonly type: 'text';
  readonly text: string;
}

export interface PlainMedia {
  readonly type: 'media';
  readonly kind: 'image' | 'file';
  readonly mediaType: string | null;
  readonly name: string | null;
  readonly data: MediaData;
}

/** Where the content of an image or a file is. */
export type MediaData =
  | { readonly type: 'base64'; readonly base64: string }
  | { readonly type: 'url'; readonly url: string }
  | { readonly type: 'text'; readonly text: string };

/** Reasoning without a signature: none is valid for another provider. */
export interface PlainReasoning {
  readonly type: 'reasoning';
  readonly text: string;
}

export interface PlainCall {
  readonly type: 'tool-call';
  readonly callId: string;
  readonly name: string;
  /** As text; not always JSON. */
  readonly arguments: string;
}

export interface PlainResult {
  readonly type: 'tool-result';
  readonly callId: string;
  /** Name of the tool that was called. */
  readonly name: string;
  readonly content: readonly PlainContent[];
  readonly isError: boolean;
}

/** Notes that something of a message, by its index, does not come over. */
export type Lose = (message: number, text: string) => void;

/** What a format must know for conversions from it and to it. */
export interface Bridge {
  readonly id: string;
  /** Names of the fields of a request that hold the conversation. */
  readonly holds: readonly string[];
  /** The content of an image or file, from its wire value; null when only a provider has it. */
  media(wire: unknown): MediaData | null;
  /** Names of the fields of a wire message or part that say something which no part holds, such as `name`. */
  extras(wire: unknown): readonly string[];
  /** The wire value of the messages. Whatever the format cannot hold goes to `lose`. */
  build(messages: readonly PlainMessage[], lose: Lose): unknown;
}

/** Stands for an image or a file that the target cannot hold. */
export function mediaText({ kind, mediaType, name }: Omit<PlainMedia, 'type' | 'data'>): string {
  return `[${[kind, name, mediaType].filter((word) => word !== null).join(' ')} left out]`;
}

/** The text of a file of text, for formats that have no such file. */
export function inlineText({ name, data }: PlainMedia, index: number, lose: Lose): string | null {
  if (data.type !== 'text') return null;
  lose(index, `the file of text${name === null ? '' : ` \`${name}\``} stands in the message as plain text`);
  return data.text;
}

export function dataUrl(mediaType: string | null, base64: string): string {
  return `data:${mediaType ?? 'application/octet-stream'};base64,${base64}`;
}

/** Fields of a wire value that hold something and are not among those that parts carry. */
export function otherFields(wire: unknown, carried: ReadonlySet<string>): readonly string[] {
  if (typeof wire !== 'object' || wire === null || Array.isArray(wire)) return [];
  return Object.entries(wire).flatMap(([key, value]) => (carried.has(key) || isEmpty(value) ? [] : [key]));
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === false) return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
