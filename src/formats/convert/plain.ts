/**
 * A message without anything specific to a wire format, from which every format can be built. `index` is its place in the original conversation;
 * losses refer to it.
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
  /** Text, which is not always JSON. */
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

/** Records that the target format cannot hold something in the message with this index. */
export type Lose = (message: number, text: string) => void;

/** Records that the target format cannot hold something in the current message. */
export type LoseHere = (text: string) => void;

/** Everything that conversions need to know about a format. */
export interface Bridge {
  readonly id: string;
  /** Request fields that hold the conversation. */
  readonly holds: readonly string[];
  /** The content of an image or file, from its wire value; null when only the provider has it. */
  media(wire: unknown): MediaData | null;
  /** Fields of a wire message or part that say something no part holds, such as `name`. */
  extras(wire: unknown): readonly string[];
  /** Writes the messages on the wire, and calls `lose` for everything that the format cannot hold. */
  build(messages: readonly PlainMessage[], lose: Lose): unknown;
}
