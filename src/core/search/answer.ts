import type { Role } from '../conversation/message.ts';
import { type Ref, refOfCall, refOfResult } from '../conversation/ref.ts';
import type { TokenCounter } from '../tokens/counter.ts';
import type { Section } from './chunks.ts';
import type { RankedChunk, Ranking } from './rank.ts';
import { wordsOf } from './words.ts';

/** A place in the history that answers a question. */
export interface Hit {
  /** Number of the message, counted from 1, as `#n` in a handoff. */
  readonly message: number;
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

export interface SearchAnswer {
  readonly query: string;
  /** Best first. */
  readonly hits: readonly Hit[];
  /** Size of this answer as JSON. */
  readonly tokens: number;
  /** What to do next, when there is something to say: nothing was found, or there is more. */
  readonly note?: string;
}

export const O: Record<string, number> = { keep: 0.35, around: 1, trim: 0, short: 160, over: 8, dup: 24, miss: 0.5, div: 1, rest: 0 };

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
export function fillBudget(
  { chunks, worth }: Ranking,
  { query, budget, counter }: { readonly query: string; readonly budget: number; readonly counter: TokenCounter },
): SearchAnswer {
  const empty = { query, hits: [], tokens: budget };
  let left = budget - counter.count(JSON.stringify(empty));
  const drafts = new Map<string, Draft>();
  const shown = new Set<string>();
  const top = chunks[0]?.score ?? 1;
  let refused = 0;
  for (const chunk of chunks) {
    if (refused >= O.over!) break;
    const place = `${chunk.message}:${chunk.sectionAt}`;
    const draft = drafts.get(place);
    const fresh = relevantStretches(chunk, worth, shown);
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
    for (const { from, to } of fresh) for (const line of chunk.section.text.slice(from, to).split('\n')) shown.add(line.trim());
  }
  const hits = [...drafts.values()].map(({ hit }) => hit);
  return sized({ query, hits, tokens: budget }, budget, counter);
}

/** The answer with its own size; the last hits go while it is too large, since the size of a whole is not quite the sum of its parts. */
function sized(answer: SearchAnswer, budget: number, counter: TokenCounter): SearchAnswer {
  let { hits } = answer;
  for (;;) {
    const tokens = counter.count(JSON.stringify({ ...answer, hits }));
    if (tokens <= budget || hits.length === 0) return { ...answer, hits, tokens };
    hits = hits.slice(0, -1);
  }
}

function hitOf(chunk: RankedChunk, stretches: readonly Stretch[], top: number): Hit {
  const { section } = chunk;
  return {
    message: chunk.message + 1,
    role: chunk.role,
    ...(section.tool === null ? {} : { tool: section.tool }),
    ...(section.part === null ? {} : { ref: refOf(section) }),
    text: textOf(section.text, stretches),
    score: Math.round((100 * chunk.score) / (top || 1)) / 100,
  };
}

function refOf({ part }: Section): Ref {
  return part === null ? '' : part.type === 'tool-call' ? refOfCall(part) : refOfResult(part);
}

function textOf(text: string, stretches: readonly Stretch[]): string {
  return stretches
    .map(({ from, to }) => text.slice(from, to).replace(/^\n+|\s+$/g, ''))
    .join('\n…\n');
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

/** The lines of a chunk that bear on the question, with the lines beside them; all of it when little would be saved. */
function relevantStretches(chunk: RankedChunk, worth: ReadonlyMap<string, number>, shown: ReadonlySet<string>): readonly Stretch[] {
  const { text, from } = chunk;
  const lines: (Stretch & { readonly value: number; readonly known: boolean })[] = [];
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf('\n', at);
    const to = end < 0 ? text.length : end + 1;
    const line = text.slice(at, to);
    const value = [...new Set(wordsOf(line))].reduce((sum, word) => sum + (worth.get(word) ?? 0), 0);
    lines.push({ from: from + at, to: from + to, value, known: line.trim().length >= O.dup! && shown.has(line.trim()) });
    at = to;
  }
  const best = Math.max(0, ...lines.map(({ value }) => value));
  const bears = (line: { readonly value: number } | undefined): boolean => line !== undefined && best > 0 && line.value >= O.keep! * best;
  const kept = lines.filter((line, at) => {
    if (line.known) return false;
    for (let d = -O.around!; d <= O.around!; d++) if (bears(lines[at + d])) return true;
    return best === 0;
  });
  const fresh = lines.filter((line) => !line.known);
  const size = kept.reduce((sum, each) => sum + each.to - each.from, 0);
  const whole = text.length <= O.short! || size >= O.trim! * text.length;
  return joined(whole ? fresh : kept);
}
