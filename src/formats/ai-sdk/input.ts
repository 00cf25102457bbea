import { jsonOf } from '../guards.ts';

/**
 * The input of a call as text: its JSON. What a model wrote that is no JSON at all is kept by the SDK as a string, and stands as it is;
 * a string that happens to be JSON is quoted, so that the way back is the same for every value. Null for what has no JSON.
 */
export function argumentsOf(input: unknown): string | null {
  if (input === undefined) return '';
  return typeof input === 'string' && parsed(input) === NOT_JSON ? input : jsonOf(input);
}

/** The input that `argumentsOf` gives this text for. */
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
