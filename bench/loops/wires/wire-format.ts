import type { FormatId, Said, Wire } from '../said.ts';

/** How a loop speaks to one API: requests, messages, counts and errors in its own form. */
export interface WireFormat {
  readonly id: FormatId;
  /** The first request, with everything around its messages. */
  readonly open: (opening: Opening) => Wire | readonly Wire[];
  /** The messages that one thing said becomes. Signatures are empty: the server fills them in. */
  readonly write: (said: Said) => readonly Wire[];
  readonly usage: (input: number, output: number) => Wire;
  /** The error for a request that is too long. `limit` is null when the provider names no number. */
  readonly overflow: (counted: number, limit: number | null) => unknown;
}

export interface Opening {
  readonly system: string;
  readonly tools: readonly ToolDefinition[];
  /** Tokens reserved for the answer. */
  readonly output: number;
  readonly isThinking: boolean;
  readonly first: readonly Wire[];
}

export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly schema: Wire;
}

/** An error as the clients of providers throw it. */
export function thrown(message: string, fields: Wire): Error {
  return Object.assign(new Error(message), fields);
}
