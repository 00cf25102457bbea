import type { Message } from './conversation/message.ts';
import { PrecisError } from './errors.ts';
import type { AlignedModel, Summarizer } from './model.ts';
import type { TokenCounter } from './tokens/counter.ts';
import type { LimitsInput } from './tokens/window.ts';
import type { LearnedWorth } from './worth/weigh.ts';

/**
 * Every option of a compaction. This file is the manual: what each option means, its unit, its default and why.
 */
export interface CompactOptions extends LimitsInput {
  /**
   * Counts tokens. The heuristic needs no data and is accurate to about 20 % on prose and code; pass `o200k` from `precis/o200k` when the target must hold exactly.
   * @default heuristicCounter
   */
  readonly counter?: TokenCounter;

  /**
   * The model's tokens per counted token. Models other than GPT split text differently: about 1.1 to 1.35 for Claude.
   * @default 1
   */
  readonly tokenFactor?: number;

  /**
   * The newest messages stay word for word, up to this many tokens.
   * @default 2.5 % of the window, from 10,000 to 25,000, and at most a sixth of the target beyond its first 4,000: on real sessions a longer tail
   * costs more facts than it keeps
   */
  readonly tailTokens?: number;

  /**
   * Compact down to the target even if the view is below the threshold. Setting `target` implies it.
   * @default false
   */
  readonly force?: boolean;

  /**
   * What to do when the current turn holds reasoning that the provider has signed, which any earlier edit makes invalid. `refuse` condenses only
   * output behind that reasoning, until the turn has ended or the window forces more; `strip` does not wait. Then the turn is folded whole, and
   * its newest results are told as text: the request begins a fresh turn, without reasoning that a provider would refuse.
   * @default 'refuse'
   */
  readonly openReasoning?: 'refuse' | 'strip';

  /**
   * Trim the newest request and the newest results to their least when nothing else reaches the target. Turn it off to get a refusal that names
   * the smallest target without that.
   * @default true
   */
  readonly lastResort?: boolean;

  /**
   * Learned worth of passages and terms, as `npm run learn` writes it: for those who train on sessions of their own.
   * @default the one that ships
   */
  readonly learned?: LearnedWorth;

  /** Messages that stay word for word in every view, wherever they are. @default none */
  readonly pinned?: ReadonlySet<Message>;

  /** Message counts from `counter`, kept between compactions so that no message is counted twice. @default none */
  readonly counts?: WeakMap<Message, number>;

  /**
   * Writes the summary of what is folded: models from `precis/models`, or any object of this shape. Summary lines compete with quotes for the
   * same room, so a model can only add. Without a summariser the handoff consists of quotes alone.
   * @default none
   */
  readonly summarizer?: Summarizer;

  /**
   * The conversation's own model, asked at the end of the conversation instead of `summarizer` when that costs less: the provider reads its
   * cached prompt for a fraction of the price. The host sends the request, since only its own tools, system and messages hit the cache.
   * @default none
   */
  readonly aligned?: AlignedModel;

  /** A topic that the summary gives most of its space to. @default none */
  readonly focus?: string;

  /**
   * Most requests for one summary. If the folded part fits the summariser's window, one request reads it all; otherwise it is read in parts.
   * @default 4: more are slow and expensive, and quotes cover the rest
   */
  readonly maxSummaryCalls?: number;

  /**
   * Longest time for one answer of `summarizer` or `aligned`, in milliseconds; after it, quotes alone make the handoff. Core has no timer:
   * `compact()` of the package and living contexts set one.
   * @default 900_000, which is how long a chain of models takes at most
   */
  readonly summaryTimeoutMs?: number;

  /**
   * Headings for the model to write under, in order, e.g. `['Goal', 'Risks', 'Next Steps']`. Headings of the handoff keep their meaning; others
   * become sections of their own. Quotes stay under the handoff's headings, which follow those of the template.
   * @default the headings of the handoff
   */
  readonly template?: readonly string[];

  /** Called with the characters a model has written so far. */
  readonly onText?: (characters: number) => void;

  /** Stops the work; the promise rejects with a `PrecisError` of code `aborted`. */
  readonly signal?: AbortSignal;

  /**
   * Milliseconds since some fixed moment, for the receipt. Core reads no clock of its own.
   * @default a clock that stands still
   */
  readonly now?: () => number;
}

/** Checks every option. The error says what was expected and what came. */
export function checkOptions(options: CompactOptions): void {
  whole('tailTokens', options.tailTokens, 0);
  whole('target', options.target, 1);
  whole('window', options.window, 1);
  whole('fixedTokens', options.fixedTokens, 0);
  whole('maxSummaryCalls', options.maxSummaryCalls, 1);
  whole('summaryTimeoutMs', options.summaryTimeoutMs, 1);
  const { tokenFactor, openReasoning, counter } = options;
  if (tokenFactor !== undefined && !(typeof tokenFactor === 'number' && tokenFactor >= 0.1 && tokenFactor <= 10))
    throw wrong('tokenFactor', 'a number from 0.1 to 10', tokenFactor);
  if (openReasoning !== undefined && openReasoning !== 'refuse' && openReasoning !== 'strip')
    throw wrong('openReasoning', "'refuse' or 'strip'", openReasoning);
  const { summarizer, focus, aligned, template } = options;
  if (summarizer !== undefined && !isSummarizer(summarizer))
    throw wrong(
      'summarizer',
      'an object with `models` and a `generate` method, such as `singleSummarizer(model)`',
      summarizer,
    );
  if (
    aligned !== undefined &&
    (typeof aligned?.generate !== 'function' || !Number.isFinite(aligned.prices?.cachedInput))
  )
    throw wrong('aligned', 'an object with `prices` and a `generate` method', aligned);
  if (template !== undefined && !(Array.isArray(template) && template.every(isHeading)))
    throw wrong('template', "a list of headings such as ['Goal', 'Risks']", template);
  if (focus !== undefined && (typeof focus !== 'string' || focus.trim() === ''))
    throw wrong('focus', 'a topic in words', focus);
  if (counter !== undefined && typeof counter.count !== 'function')
    throw wrong('counter', 'an object with a `count` method, such as `o200k` from `precis/o200k`', counter);
}

function isSummarizer(value: Summarizer | null): boolean {
  return typeof value?.generate === 'function' && Array.isArray(value.models) && value.models.length > 0;
}

function isHeading(line: unknown): boolean {
  return typeof line === 'string' && /[\p{L}\p{N}]/u.test(line) && !line.includes('\n');
}

function whole(name: string, value: number | undefined, least: number): void {
  if (value === undefined || (Number.isInteger(value) && value >= least)) return;
  throw wrong(name, `an integer of ${least} or more`, value);
}

function wrong(name: string, expected: string, value: unknown): PrecisError {
  return new PrecisError(
    'bad-option',
    `Expected \`${name}\` to be ${expected}, got \`${String(value)}\` (${typeof value})`,
    { option: name, value },
  );
}
