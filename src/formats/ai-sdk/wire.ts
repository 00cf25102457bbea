import type { WireRecord } from '../guards.ts';

/**
 * A `ModelMessage` of the AI SDK (6 and 7), or a message of a provider prompt (`LanguageModelV3Prompt`, `V4Prompt`), which is the same with arrays
 * for contents. Fields are read only after they are checked.
 */
export interface AiMessage extends WireRecord {
  readonly role?: unknown;
  readonly content?: unknown;
  readonly providerOptions?: unknown;
}

export interface AiPart extends WireRecord {
  readonly type?: unknown;
  readonly text?: unknown;
  /** Of an image: base64, bytes, a URL, or in version 7 a reference. */
  readonly image?: unknown;
  /** Of a file: the same, or in version 7 an object that names its shape. */
  readonly data?: unknown;
  readonly url?: unknown;
  readonly mediaType?: unknown;
  readonly filename?: unknown;
  readonly toolCallId?: unknown;
  readonly toolName?: unknown;
  readonly input?: unknown;
  readonly output?: unknown;
  /** True when the provider ran the tool itself; the result is then in an assistant message. */
  readonly providerExecuted?: unknown;
  readonly approvalId?: unknown;
  readonly providerOptions?: unknown;
}

/** The `output` of a tool result. */
export interface AiOutput extends WireRecord {
  readonly type?: unknown;
  readonly value?: unknown;
  readonly reason?: unknown;
}

export const APPROVAL_REQUEST = 'tool-approval-request';
export const APPROVAL_RESPONSE = 'tool-approval-response';
