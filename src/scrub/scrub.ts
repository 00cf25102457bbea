import type { Conversation } from '../core/conversation/conversation.ts';
import { PrecisError } from '../core/errors.ts';
import type { Format } from '../core/format.ts';
import { convert, openaiChat } from '../formats/index.ts';
import { auditText } from './audit.ts';
import { MAX_OUTPUT, MAX_SIZE, MAX_TOTAL } from './limits.ts';
import type { RuleCount } from './rule-counts.ts';
import { createScrubber, type Scrubber, type ScrubberOptions } from './scrub-text.ts';
import { eachText, scrubValue } from './scrub-value.ts';
import { type FixtureValue, fixtureOf, fixtureText, SCRUBBING_PASSES, wireOf } from './session/fixture.ts';
import { restructure, type StructureOptions } from './session/structure.ts';
import { cutPlaces, trimOutputs } from './session/trim.ts';

export interface ScrubInput {
  /** Name of the result: letters, digits, dots and dashes. */
  readonly name: string;
  /** Origin of the session, for the header. */
  readonly source: string;
  readonly format: Format;
  readonly conversation: Conversation;
}

export interface ScrubOptions extends ScrubberOptions, StructureOptions {
  /** Longest tool output, in characters. @default MAX_OUTPUT */
  readonly maxOutput?: number;
  /** Most bytes of one result. @default MAX_SIZE */
  readonly maxSize?: number;
  /** Most bytes of all results together. @default MAX_TOTAL */
  readonly maxTotal?: number;
}

export interface ScrubbedSession {
  /** Name of its folder: the scrubbed name of the input. */
  readonly folder: string;
  /** Text of the file, reproducible byte for byte. */
  readonly text: string;
  readonly bytes: number;
  readonly messages: number;
  /** Index of the last kept message; null when nothing was cut. */
  readonly truncatedTo: number | null;
  /** Rules that still find something in the result. If there are any, do not publish it. */
  readonly left: readonly RuleCount[];
}

export interface ScrubResult {
  readonly sessions: readonly ScrubbedSession[];
  readonly counts: readonly RuleCount[];
  /** Number of names replaced only in paths and author lines. */
  readonly placeOnly: number;
}

/** Scrubs sessions that belong together: a name learned in one is replaced in all. */
export function scrubSessions(inputs: readonly ScrubInput[], options: ScrubOptions = {}): ScrubResult {
  const { maxOutput = MAX_OUTPUT, maxSize = MAX_SIZE, maxTotal = MAX_TOTAL } = options;
  const scrubber = createScrubber(options);
  // Learn from system prompts and reasoning too: their names may occur elsewhere.
  for (const { conversation, name, source } of inputs) {
    eachText({ name, source }, scrubber.learn);
    eachText(conversation, scrubber.learn);
  }
  if (options.firstMessage !== undefined) scrubber.learn(options.firstMessage);
  const drafts = inputs.map((input) => draftOf(shareable(input, scrubber), scrubber, { ...options, maxOutput }));
  const sized = fitTotal(drafts, maxSize, maxTotal);
  return {
    sessions: sized.map((draft) => finish(draft, scrubber)),
    counts: scrubber.counts(),
    placeOnly: scrubber.placeOnly(),
  };
}

/** Formats that are written unchanged, with a list of `messages`. */
const WRITTEN: ReadonlySet<string> = new Set(['openai-chat', 'anthropic']);

/** Converts other formats to OpenAI chat. That drops parts which only a provider or framework can read, and nobody could check. */
function shareable(input: ScrubInput, scrubber: Scrubber): ScrubInput {
  if (WRITTEN.has(input.format.id)) return input;
  scrubber.count('other format');
  return { ...input, format: openaiChat, conversation: convert(input.conversation, openaiChat).conversation };
}

interface Draft {
  readonly input: ScrubInput;
  readonly conversation: Conversation;
  readonly value: FixtureValue;
  readonly text: string;
}

function draftOf(input: ScrubInput, scrubber: Scrubber, options: ScrubOptions & { readonly maxOutput: number }): Draft {
  const { format, name } = input;
  const restructured = restructure(input.conversation, options, scrubber.count);
  const header = headerOf(input, options);
  let value = fixtureOf(withoutLeftovers(wireOf(restructured, format, name)), header);
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const next = scrubValue(value, scrubber.scrub) as FixtureValue;
    if (next === value) break;
    value = next;
    // A replacement may reveal another name.
    eachText(value, scrubber.learn);
  }
  const decoded = format.decode(value);
  for (const _ of decoded.notes) scrubber.count('message without its pair');
  const conversation = trimOutputs(decoded.conversation, options.maxOutput, scrubber.count);
  return writeDraft(input, conversation);
}

const MAX_ROUNDS = 4;

function writeDraft(input: ScrubInput, conversation: Conversation, truncated = false): Draft {
  const wire = wireOf(conversation, input.format, input.name) as FixtureValue;
  const value = truncated ? { ...wire, truncated_to: wire.messages.length - 1 } : wire;
  return { input, conversation, value, text: fixtureText(value) };
}

function headerOf(
  { name, source }: ScrubInput,
  { firstMessage, keepSystem, maxOutput = MAX_OUTPUT }: ScrubOptions,
): Parameters<typeof fixtureOf>[1] {
  const passes = [
    ...SCRUBBING_PASSES,
    firstMessage === undefined ? 'first user message kept, scrubbed' : 'first user message replaced by a paraphrase',
    keepSystem === true ? 'system prompt kept, scrubbed' : 'system prompt replaced by a placeholder',
    `outputs of tools cut at ${maxOutput} characters`,
  ];
  return { name, source, passes };
}

/** Request fields that identify a person. */
const IDENTITIES = ['user', 'safety_identifier', 'prompt_cache_key'] as const;
/** Reasoning fields that no part of the conversation carries. */
const HIDDEN_REASONING = [
  'reasoning',
  'reasoning_content',
  'reasoning_details',
  'codex_reasoning_items',
  'encrypted_content',
];

function withoutLeftovers(wire: unknown): unknown {
  if (Array.isArray(wire)) return wire.map(withoutHidden);
  const { metadata, messages, ...rest } = wire as Readonly<Record<string, unknown>>;
  const around = Object.fromEntries(Object.entries(rest).filter(([key]) => !IDENTITIES.some((own) => own === key)));
  const { user_id: _user, ...kept } = (typeof metadata === 'object' && metadata !== null ? metadata : {}) as Record<
    string,
    unknown
  >;
  return {
    ...around,
    ...(Object.keys(kept).length === 0 ? {} : { metadata: kept }),
    messages: Array.isArray(messages) ? messages.map(withoutHidden) : messages,
  };
}

function withoutHidden(message: unknown): unknown {
  if (typeof message !== 'object' || message === null) return message;
  const entries = Object.entries(message);
  const kept = entries.filter(([key]) => !HIDDEN_REASONING.includes(key));
  return kept.length === entries.length ? message : Object.fromEntries(kept);
}

/** Cuts each result to its limit. If all together are still too large, cuts the largest ones down to a common size. */
function fitTotal(drafts: readonly Draft[], maxSize: number, maxTotal: number): readonly Draft[] {
  const own = drafts.map((each) => fitSize(each, maxSize));
  const sizes = own.map(sizeOf).sort((left, right) => left - right);
  if (sizes.reduce((sum, size) => sum + size, 0) <= maxTotal) return own;
  let left = maxTotal;
  let level = 0;
  sizes.forEach((size, index) => {
    level = Math.floor(left / (sizes.length - index));
    left -= Math.min(size, level);
  });
  return own.map((each) => fitSize(each, level));
}

/** The longest beginning that fits, cut between steps. */
function fitSize(whole: Draft, most: number): Draft {
  if (sizeOf(whole) <= most) return whole;
  const places = cutPlaces(whole.conversation.messages);
  let low = 0;
  let high = places.length - 1;
  let best: Draft | null = null;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const messages = whole.conversation.messages.slice(0, places[middle]);
    const cut = writeDraft(whole.input, { ...whole.conversation, messages }, true);
    if (sizeOf(cut) <= most) {
      best = cut;
      low = middle + 1;
    } else high = middle - 1;
  }
  if (best !== null) return best;
  throw new PrecisError(
    'bad-option',
    `${whole.input.name}: expected a size that holds at least the first step, got ${most} bytes; allow more with \`--max-size\`, or cut outputs with \`--max-output\``,
  );
}

const encoder = new TextEncoder();

function sizeOf({ text }: Draft): number {
  return encoder.encode(text).length;
}

function finish(done: Draft, scrubber: Scrubber): ScrubbedSession {
  const { text, value } = done;
  const truncated = value['truncated_to'];
  return {
    folder: scrubber.scrub(done.input.name).replaceAll(/[^\p{L}\p{N}._+-]+/gu, '-'),
    text,
    bytes: sizeOf(done),
    messages: value.messages.length,
    truncatedTo: typeof truncated === 'number' ? truncated : null,
    left: auditText(text, scrubber),
  };
}
