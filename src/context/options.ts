import type { SoundConversation } from '../core/conversation/sound.ts';
import { PrecisError } from '../core/errors.ts';
import type { Format } from '../core/format.ts';
import type { AlignedModel, ModelFailure, Summarizer } from '../core/model.ts';
import type { TrimOptions } from '../core/reduce/insertion.ts';
import type { TokenCounter } from '../core/tokens/counter.ts';
import type { LimitsInput, ModelWindow } from '../core/tokens/window.ts';
import type { StrictlyEncoded, StrictOptions } from '../formats/strict/encode-strictly.ts';
import { checkModels } from './models/check-models.ts';
import type { Access, Store } from './store/store.ts';

/** Says when and how far a context compacts: the sizes of `compact()`, except those that follow from the models. */
export type ContextPolicy = Omit<LimitsInput, 'models' | 'window'> & {
  /**
   * `smallest`: any model of the chain can take over at any moment. `active`: the context uses the whole window of the model in use, and a
   * switch to a smaller one compacts at once.
   * @default 'smallest'
   */
  readonly fit?: 'smallest' | 'active';
};

/** Options of `openContext`. Only `id` is required. */
export interface ContextOptions {
  /** Name of the context in its store. */
  readonly id: string;
  /** Id of the wire format. @default the format of the first messages */
  readonly format?: string;
  /** The model and its fallbacks, first choice first. @default none: a window of 128,000 tokens is assumed */
  readonly models?: readonly ModelWindow[];
  /** Tokens a request may hold, whatever the models say. @default the window of the models */
  readonly window?: number;
  /** When and how far to compact. @default the sizes that `limitsFor` derives from the window */
  readonly policy?: ContextPolicy;
  /** Models that write summaries. @default none: handoffs are made of quotes */
  readonly summarizer?: Summarizer;
  /** The conversation's own model, asked instead of `summarizer` when that is cheaper. @default none */
  readonly aligned?: AlignedModel;
  /** Longest time for one answer of `summarizer` or `aligned`, in milliseconds. @default 900_000 */
  readonly summaryTimeoutMs?: number;
  /** A topic that summaries give most of their space to. @default none */
  readonly focus?: string;
  /** Headings of summaries. @default those of the handoff */
  readonly template?: readonly string[];
  /** Where the history is kept. @default memory, for as long as the process lives */
  readonly store?: Store;
  /** `read` follows a context while another process writes it. @default 'write' */
  readonly access?: Access;
  /** Counts tokens. @default an estimate; `o200k` from `precis/o200k` is exact for OpenAI and close for others */
  readonly counter?: TokenCounter;
  /** Tokens of system prompt and tools that are sent in addition to the messages. @default learned from the counts of providers */
  readonly fixedTokens?: number;
  /** Trims huge tool results as they come in; `false` keeps them whole. @default above 4,000 tokens */
  readonly trim?: TrimOptions | false;
  /**
   * How to treat reasoning that the provider signed in the turn under way. `refuse` condenses only output behind it, until the turn ends or the
   * window forces more; `strip` does not wait. Then the turn is folded whole, and its newest results are told as text.
   * @default 'refuse'
   */
  readonly openReasoning?: 'refuse' | 'strip';
  /** Demands of a server beyond the rules of its format: roles in turns, short ids, plain names. @default none */
  readonly strict?: StrictOptions;
  /** Replaces secrets before anything is stored. This cannot be undone. @default false */
  readonly redact?: boolean;
  /** The clock, in milliseconds since 1970. @default the clock of the system */
  readonly now?: () => number;
}

/**
 * Options for the lowest bill: `openContext({ ...LEAN, id, models })`. It trims results sooner, and cuts earlier and deeper. On recorded
 * sessions this costs 31 % less than a summary at 85 % of the window; the agent has to recall 8 of 100 facts more.
 */
export const LEAN: Required<Pick<ContextOptions, 'policy' | 'trim'>> = {
  policy: { thresholdRatio: 0.55, targetRatio: 0.18, condenseRatio: 0.18 },
  trim: { tokens: 800 },
};

/** The surroundings of a context: formats, a reader of errors, and the clock. */
export interface ContextWorld {
  /** Returns the format of a wire value. Throws when it has none. */
  readonly formatOf: (wire: unknown) => Format;
  readonly formatById: (id: string) => Format | null;
  readonly failureOf: (error: unknown) => ModelFailure;
  /** Encodes a view for a server that demands more than its format does. */
  readonly encodeStrictly: (format: Format, view: SoundConversation, options: StrictOptions) => StrictlyEncoded;
  readonly now: () => number;
}

/** Checks the options that the parts of a context do not check themselves. */
export function checkContextOptions(options: ContextOptions): void {
  const { id, fixedTokens, trim, window, summaryTimeoutMs } = options;
  if (typeof id !== 'string' || id === '') throw wrong('id', 'a name', id);
  if (fixedTokens !== undefined && !isCount(fixedTokens, 0))
    throw wrong('fixedTokens', 'a whole number of tokens', fixedTokens);
  if (window !== undefined && !isCount(window, 16)) throw wrong('window', 'an integer of 16 or more', window);
  checkModels(options);
  if (summaryTimeoutMs !== undefined && !isCount(summaryTimeoutMs, 1))
    throw wrong('summaryTimeoutMs', 'milliseconds, an integer of 1 or more', summaryTimeoutMs);
  if (trim === undefined || trim === false) return;
  if (typeof trim !== 'object' || trim === null)
    throw wrong('trim', '`false` or an object such as { tokens: 4000 }', trim);
  for (const [name, limit] of [['trim.tokens', trim.tokens] as const, ...Object.entries(trim.tools ?? {})])
    if (limit !== undefined && limit !== false && !isCount(limit, 1))
      throw wrong(name, '`false` or tokens above 0', limit);
}

function isCount(value: unknown, least: number): boolean {
  return Number.isSafeInteger(value) && (value as number) >= least;
}

function wrong(name: string, expected: string, value: unknown): PrecisError {
  return new PrecisError(
    'bad-option',
    `Expected \`${name}\` to be ${expected}, got \`${String(value)}\` (${typeof value})`,
    { option: name },
  );
}
