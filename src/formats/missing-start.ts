import type { Message } from '../core/conversation/message.ts';
import type { DecodeNote } from '../core/format.ts';

export const MISSING_START_TEXT = '[the beginning of this conversation is missing]';

/** Stands first when a log was cut and the assistant would speak first, which some providers refuse. */
export const missingStart: Message = { role: 'user', parts: [{ type: 'text', text: MISSING_START_TEXT }] };

export const MISSING_START_NOTE: DecodeNote = {
  message: 0,
  text: 'the assistant spoke first: a user message that says so was put before it',
};
