import type { WireRecord } from '../guards.ts';

/** A request as it arrives: fields are read only after they are checked. */
export interface AnthropicRequest extends WireRecord {
  readonly system?: unknown;
  readonly messages?: unknown;
  readonly tools?: unknown;
  readonly cache_control?: unknown;
}

export interface AnthropicMessage extends WireRecord {
  readonly role?: unknown;
  readonly content?: unknown;
}

export interface AnthropicBlock extends WireRecord {
  readonly type?: unknown;
  readonly text?: unknown;
  readonly thinking?: unknown;
  readonly signature?: unknown;
  /** Encrypted thinking. */
  readonly data?: unknown;
  readonly id?: unknown;
  readonly name?: unknown;
  readonly input?: unknown;
  readonly tool_use_id?: unknown;
  readonly content?: unknown;
  readonly is_error?: unknown;
  readonly source?: unknown;
  readonly title?: unknown;
}

/** Where the bytes of an image or document are. */
export interface AnthropicSource extends WireRecord {
  readonly type?: unknown;
  readonly media_type?: unknown;
  readonly data?: unknown;
  readonly url?: unknown;
}

/** The most markers that tools, system and messages of a request may carry together. */
export const MAX_CACHE_MARKERS = 4;
