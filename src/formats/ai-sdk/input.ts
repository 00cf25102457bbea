import { jsonOf } from '../guards.ts';

/**
 * The input of a call as JSON text. When a model writes no JSON at all, the SDK keeps a string, which stays as it is; a string that happens to be
 * JSON is quoted, so that `inputOf` can undo every case. Null for a value without JSON.
 */
export function argumentsOf(input: unknown): string | null {
  if (input === undefined) return '';
  return typeof input === 'string' && parsed(input) === NOT_JSON ? input : jsonOf(input);
}

/** Undoes `argumentsOf`. */
export function inputOf(text: string): unknown {
  const value = parsed(text);
  return value === NOT_JSON ? text : value;
}

const NOT_JSON: unique symbol = Symbol('not JSON');

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return NOT_JSON;
  }
}
