import type { Conversation } from '../../core/conversation/conversation.ts';
import { PrecisError } from '../../core/errors.ts';
import type { Format } from '../../core/format.ts';
import type { LoadedFixture } from './fixture.ts';

/** A fixture with its messages decoded. */
export interface DecodedFixture extends LoadedFixture {
  /** The messages of its session. */
  readonly conversation: Conversation;
  /** The format they were written in. */
  readonly format: Format;
}

/** Decodes the messages of a fixture. Pass `detectFormat` of `precis`, or a function that knows formats of your own. */
export function decodeFixture(loaded: LoadedFixture, detectFormat: (wire: unknown) => Format | null): DecodedFixture {
  const { wire, file } = loaded.fixture;
  const format = detectFormat(wire);
  if (format === null)
    throw new PrecisError('bad-input', `${file}: expected messages of a known format, got something else`, { file });
  try {
    return { ...loaded, format, conversation: format.decode(wire).conversation };
  } catch (error) {
    if (!PrecisError.is(error)) throw error;
    throw new PrecisError(error.code, `${file}: ${error.message}`, { ...error.data, file });
  }
}
