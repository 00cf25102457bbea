import { PrecisError } from '../core/errors.ts';
import type { Place } from './json/place.ts';

/** An error about a whole file: its name, then one sentence. */
export function badFile(name: string, sentence: string): PrecisError {
  return new PrecisError('bad-input', `${name}: ${sentence}`, { file: name });
}

/** An error about a place in a file: name, line and column, then one sentence. */
export function badPlace(
  { name, line, column }: Place & { readonly name: string },
  sentence: string,
  data: object = {},
): PrecisError {
  return new PrecisError('bad-input', `${name}: line ${line}, column ${column}: ${sentence}`, {
    ...data,
    file: name,
    line,
    column,
  });
}
