import type { Role } from '../conversation/message.ts';
import { type Ref, refOfCall, refOfResult } from '../conversation/ref.ts';
import { safeCut } from '../language/cut.ts';
import type { TokenCounter } from '../tokens/counter.ts';
import type { Section } from './chunks.ts';
import type { RankedChunk } from './rank.ts';

/** A place in the history that answers a question. */
export interface Hit {
  /** Number of the message, counted from 1, as `#n` in a handoff. */
  readonly message: number;
  /** Who speaks in the message. */
  readonly role: Role;
  /** The tool whose call or output this is; absent for what was said. */
  readonly tool?: string;
  /** Leads to the whole output or call; absent for what was said, where the number does. */
  readonly ref?: Ref;
  /** As it stands in the original; `…` where something is left out. */
  readonly text: string;
  /** 1 for the best hit. */
  readonly score: number;
}

/** What a search found, within its budget. */
export interface SearchAnswer {
  /** The question as it was asked. */
  readonly query: string;
  /** Best first. */
  readonly hits: readonly Hit[];
  /** Size of this answer as JSON, this number included. */
  readonly tokens: number;
  /** Where the rest of an original begins, in characters; absent when this is all. */
  readonly nextOffset?: number;
  /** What to do next, when there is something to say: nothing was found, or there is more. */
  readonly note?: string;
}

/** Chunks that do not fit are passed over in favour of smaller ones, so many times. */
const PASSED_OVER = 8;
/** Shorter lines (`}`, `---`, `OK`) may come again. */
const REPEATED_CHARS = 24;

/** What an answer may cost, and how that is counted. */
export interface Room {
  readonly query: string;
  readonly budget: number;
  readonly counter: TokenCounter;
}

/** An answer without hits that says why. */
export function emptyAnswer(note: string, { query, budget, counter }: Room): SearchAnswer {
  return sized({ query, hits: [], tokens: budget, note }, counter);
}

/** One original from `offset` on, as much of it as fits, and how to go on. */
export function originalAnswer(
  original: Omit<Hit, 'score'>,
  offset: number,
  { query, budget, counter }: Room,
): SearchAnswer {
  const { text } = original;
  const start = safeCut(text, Math.min(Math.max(0, offset), text.length));
  const answerTo = (end: number): SearchAnswer => {
    const note = `Characters ${start} to ${end} of ${text.length}.${end < text.length ? ` Ask again with offset ${end} for more.` : ''}`;
    const isWhole = start === 0 && end === text.length;
    const hit = { ...original, text: text.slice(start, end), score: 1 };
    const rest = end < text.length ? { nextOffset: end } : {};
    return { query, hits: [hit], tokens: budget, ...(isWhole ? {} : { note }), ...rest };
  };
  const size = (end: number): number => counter.count(JSON.stringify(answerTo(end)));
  let fits = start;
  let tooFar = Math.min(text.length, start + budget * MOST_CHARS) + 1;
  while (tooFar - fits > 1) {
    const middle = (fits + tooFar) >> 1;
    if (size(middle) <= budget) fits = middle;
    else tooFar = middle;
  }
  const end = fits === text.length ? fits : safeCut(text, fits);
  return { ...answerTo(end), tokens: size(end) };
}

/** A token is rarely longer; runs of white space may be. */
const MOST_CHARS = 16;

interface Draft {
  readonly best: RankedChunk;
  readonly stretches: Stretch[];
  hit: Hit;
  tokens: number;
}

interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** Fills the budget with the best chunks, those of one part of a message together. */
export function fillBudget(chunks: readonly RankedChunk[], { query, budget, counter }: Room): SearchAnswer {
  let left = budget - counter.count(JSON.stringify({ query, hits: [], tokens: budget }));
  const drafts = new Map<string, Draft>();
  const shown = new Set<string>();
  const top = chunks[0]?.score ?? 1;
  let refused = 0;
  for (const chunk of chunks) {
    if (refused >= PASSED_OVER) break;
    const place = `${chunk.message}:${chunk.sectionAt}`;
    const draft = drafts.get(place);
    const fresh = freshStretches(chunk, shown);
    if (fresh.length === 0) continue;
    const stretches = joined([...(draft?.stretches ?? []), ...fresh]);
    const hit = hitOf(draft?.best ?? chunk, stretches, top);
    const tokens = counter.count(JSON.stringify(hit)) + 1;
    if (tokens - (draft?.tokens ?? 0) > left) {
      refused++;
      continue;
    }
    left -= tokens - (draft?.tokens ?? 0);
    drafts.set(place, { best: draft?.best ?? chunk, stretches: [...stretches], hit, tokens });
    for (const { from, to } of fresh) remember(shown, chunk.section.text.slice(from, to));
  }
  const hits = [...drafts.values()].map(({ hit }) => hit);
  return sized({ query, hits, tokens: budget }, counter);
}

/** The answer with its own size; the last hits go while it is too large, since the size of a whole is not quite the sum of its parts. */
function sized(answer: SearchAnswer, counter: TokenCounter): SearchAnswer {
  let { hits } = answer;
  for (;;) {
    const tokens = counter.count(JSON.stringify({ ...answer, hits }));
    if (tokens <= answer.tokens || hits.length === 0) return { ...answer, hits, tokens };
    hits = hits.slice(0, -1);
  }
}

function remember(shown: Set<string>, text: string): void {
  for (const line of text.split('\n')) if (line.trim().length >= REPEATED_CHARS) shown.add(line.trim());
}

function hitOf(chunk: RankedChunk, stretches: readonly Stretch[], top: number): Hit {
  const { section } = chunk;
  return {
    message: chunk.message + 1,
    role: chunk.role,
    ...(section.tool === null ? {} : { tool: section.tool }),
    ...(section.part === null ? {} : { ref: refOf(section) }),
    text: excerptOf(section.text, stretches),
    score: Math.round((100 * chunk.score) / (top || 1)) / 100,
  };
}

function refOf({ part }: Section): Ref {
  return part === null ? '' : part.type === 'tool-call' ? refOfCall(part) : refOfResult(part);
}

function excerptOf(text: string, stretches: readonly Stretch[]): string {
  return stretches.map(({ from, to }) => text.slice(from, to).trimEnd()).join('\n…\n');
}

/** In order, those that touch made one. */
function joined(stretches: readonly Stretch[]): readonly Stretch[] {
  const result: Stretch[] = [];
  for (const stretch of stretches.toSorted((left, right) => left.from - right.from)) {
    const last = result.at(-1);
    if (last !== undefined && stretch.from <= last.to)
      result[result.length - 1] = { from: last.from, to: Math.max(last.to, stretch.to) };
    else result.push(stretch);
  }
  return result;
}

/**
 * The lines of a chunk that no hit shows yet. Lines without a word of the question stay too: what answers a question stands beside the words it
 * shares with it, so leaving them out loses more answers than the room it makes brings.
 */
function freshStretches({ text, from }: RankedChunk, shown: ReadonlySet<string>): readonly Stretch[] {
  const fresh: Stretch[] = [];
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf('\n', at);
    const to = end < 0 ? text.length : end + 1;
    if (!shown.has(text.slice(at, to).trim())) fresh.push({ from: from + at, to: from + to });
    at = to;
  }
  return fresh.some((stretch) => /\S/.test(text.slice(stretch.from - from, stretch.to - from))) ? joined(fresh) : [];
}
