import type { Random } from '../random.ts';
import type { AssistantSaid, Call, FormatId, Piece, Said } from '../said.ts';
import type { Words } from '../words.ts';

/** What fills the window in a loop: the words of the user, the model and the tools, turn by turn. */
export interface Filler {
  readonly name: string;
  /** One sentence for the report. */
  readonly about: string;
  readonly formats: readonly FormatId[];
  /** Formats that are also tried in a large window. */
  readonly large: readonly FormatId[];
  /** Windows to run in, in place of the usual ones. */
  readonly windows?: readonly number[];
  /** Turns of a loop, in place of the usual number. */
  readonly turns?: number;
  /** How often a loop fills the room that the fixed parts leave, in place of the usual number. */
  readonly fills?: number;
  readonly shape: Shape;
  /** What the host adds before a request, beside the results of calls. */
  readonly asks: (scene: Scene) => readonly Said[];
  readonly answers: (scene: Scene) => AssistantSaid;
  /** The result of one of the calls of an answer. `budget` is that call's part. */
  readonly returns: (scene: Scene, call: Call) => readonly Piece[];
}

/** The request around the messages, and how the provider behaves. */
export interface Shape {
  /** Shares of the window. */
  readonly system: number;
  readonly tools: number;
  readonly output: number;
  /** User messages are pinned until they hold this share of the window. */
  readonly pins: number;
  /** The model's thinking is on. */
  readonly isThinking: boolean;
  readonly hasReminders: boolean;
  /** The context believes in a window that is too large, and the provider's error names the number or does not. */
  readonly overflow: 'named' | 'unnamed' | null;
  /** False: no loop reports usage. */
  readonly mayReport: boolean;
  /** Nothing that the context can do makes the request fit. */
  readonly isImpossible: boolean;
}

export const PLAIN: Shape = {
  system: 0.03,
  tools: 0,
  output: 0.1,
  pins: 0,
  isThinking: false,
  hasReminders: false,
  overflow: null,
  mayReport: true,
  isImpossible: false,
};

/** One turn of a loop: a request and its answer. */
export interface Scene {
  /** From 1. */
  readonly turn: number;
  readonly window: number;
  /** Tokens by which the conversation should grow in this turn. */
  readonly budget: number;
  readonly random: Random;
  readonly words: Words;
  /** Whether no call waits for its result, so the user may speak. */
  readonly isClosed: boolean;
  /** Whether the request ends in words of the user, so that the answer begins a turn. */
  readonly isFresh: boolean;
  /** A fresh id. */
  readonly id: (prefix: string) => string;
  /** A word for a new request of the user. Every later view must hold that of the first and that of the newest request. */
  readonly mark: () => string;
}
