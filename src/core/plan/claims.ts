import { describeHeading } from '../record/calls/action.ts';
import { isLookup } from '../record/calls/action-kinds.ts';
import type { Entry } from '../record/entry.ts';
import type { Weighed } from '../worth/weigh.ts';

export interface ClaimInput {
  readonly weighed: Weighed;
  /** True for an entry of which the view holds only what the handoff quotes. */
  readonly isFolded: (entry: number) => boolean;
  /** Tokens for the quotes of the handoff. */
  readonly room: number;
}

/** A claim takes at most its share of the room, and never more than these tokens: in a larger room worth alone decides well enough. */
interface Bounds {
  readonly share: number;
  readonly most: number;
}

const ANCHOR: Bounds = { share: 0.2, most: 160 };
const STATE: Bounds = { share: 0.25, most: 200 };
/** In a tiny room a claim may take this much, since half a line says nothing: the longest passage is about as large. */
const LEAST_TOKENS = 100;
/** An opening of fewer characters (`Done.`) needs the sentence behind it. */
const SHORT_OPENING_CHARS = 24;

/**
 * What a handoff quotes before worth decides, most needed first: words of the newest request and of the task, then where the work since that
 * request stands. An agent that sees none of it does its work again. What the view holds anyway claims nothing.
 */
export function claimsOf(input: ClaimInput): readonly number[] {
  const { entries } = input.weighed;
  const record: FoldedRecord = { ...input, headings: headingPlaces(input.weighed) };
  const request = entries.findLastIndex(isAsked);
  const anchors = [...new Set([request, entries.findIndex(isAsked)])];
  return [
    ...anchors.flatMap((entry) => within(record, ANCHOR, wordsOf(record, entry))),
    ...within(record, STATE, stateSince(record, entries[request]?.number ?? 0)),
  ];
}

interface FoldedRecord extends ClaimInput {
  /** Places of the headings among all passages, by entry; the passages of an entry follow its heading. */
  readonly headings: ReadonlyMap<number, number>;
}

function headingPlaces({ passages }: Weighed): ReadonlyMap<number, number> {
  const places = new Map<number, number>();
  for (const [at, { entry, index }] of passages.entries()) if (index < 0) places.set(entry, at);
  return places;
}

function isAsked(entry: Entry): boolean {
  return entry.type === 'said' && entry.passages.some(({ voice }) => voice === 'user');
}

/** Where a turn ended well, its answer tells, with the newest piece of work; where it goes on or something failed, the calls tell. */
function stateSince(record: FoldedRecord, request: number): readonly number[] {
  const { entries } = record.weighed;
  const since = entries.map(({ number }) => number > request);
  const answer = entries.findLastIndex((entry, at) => since[at] && isAnswer(entry));
  const calls = distinctCalls(entries, since);
  const [newest = -1] = calls;
  const work = calls.filter((at) => isWork(entries[at]));
  const opening = openingOf(record, answer);
  const failure = calls.find((at) => isOpenFailure(entries[at])) ?? -1;
  if (answer > newest && failure < 0) return [...opening, ...work.slice(0, 1).flatMap((at) => headingOf(record, at))];
  const tasks = entries.flatMap((entry, at) => (since[at] && isTask(entry) ? [at] : []));
  return [
    ...headingOf(record, newest),
    ...opening,
    ...tellingLine(record, failure),
    ...[...work, ...tasks].flatMap((at) => headingOf(record, at)),
  ];
}

function isAnswer(entry: Entry): boolean {
  return entry.type === 'said' && entry.passages.some(({ voice }) => voice === 'assistant');
}

function isTask(entry: Entry): boolean {
  return entry.type === 'noted' && entry.kind === 'task';
}

/** True unless nothing came of the call that could be done twice: it looked something up, or kept a list of tasks. */
function isWork(entry: Entry | undefined): boolean {
  if (entry?.type !== 'did') return false;
  const action = entry.action ?? describeHeading(entry.heading);
  return action.verb !== 'plan' && !isLookup(action);
}

function isOpenFailure(entry: Entry | undefined): boolean {
  return entry?.type === 'did' && entry.failed && entry.fixedBy === null;
}

/** Calls since the request, newest first; of calls that read the same only the newest. */
function distinctCalls(entries: readonly Entry[], since: readonly boolean[]): readonly number[] {
  const calls = new Map<string, number>();
  for (const [at, entry] of [...entries.entries()].reverse())
    if (entry.type === 'did' && since[at] && !calls.has(entry.heading)) calls.set(entry.heading, at);
  return [...calls.values()];
}

function headingOf({ isFolded, headings }: FoldedRecord, entry: number): readonly number[] {
  const place = headings.get(entry);
  return place === undefined || !isFolded(entry) ? [] : [place];
}

/** All passages of an entry, in order. */
function wordsOf(record: FoldedRecord, entry: number): readonly number[] {
  const passages = record.weighed.entries[entry]?.passages ?? [];
  return headingOf(record, entry).flatMap((heading) => passages.map((_, index) => heading + 1 + index));
}

/** The first sentence or line of an answer, which says how it ended. */
function openingOf(record: FoldedRecord, entry: number): readonly number[] {
  const [first] = record.weighed.entries[entry]?.passages ?? [];
  return wordsOf(record, entry).slice(0, (first?.text.length ?? 0) < SHORT_OPENING_CHARS ? 2 : 1);
}

/** The line of a call's output that is worth most. */
function tellingLine(record: FoldedRecord, entry: number): readonly number[] {
  const { entries, passages } = record.weighed;
  const worth = (at: number): number => passages[at]?.statement ?? 0;
  const lines = wordsOf(record, entry).filter((_, index) => {
    const voice = entries[entry]?.passages[index]?.voice;
    return voice !== 'argument' && voice !== 'removed';
  });
  return lines.toSorted((left, right) => worth(right) - worth(left)).slice(0, 1);
}

/** As many of the passages, in order, as the bounds allow; one that is too long makes way for the next. */
function within({ weighed, room }: ClaimInput, { share, most }: Bounds, places: readonly number[]): readonly number[] {
  let left = Math.min(most, Math.max(room * share, Math.min(room, LEAST_TOKENS)));
  const opened = new Set<number>();
  return places.filter((at) => {
    const passage = weighed.passages[at];
    if (passage === undefined) return false;
    const { entry, index } = passage;
    if (index < 0 && opened.has(entry)) return false;
    const text = `${weighed.entries[entry]?.heading ?? ''}${weighed.entries[entry]?.passages[index]?.text ?? ''}`;
    const tokens =
      passage.tokens + (opened.has(entry) ? 0 : (weighed.headings[entry]?.tokens ?? 0)) + denseTokens(text);
    if (tokens > left) return false;
    left -= tokens;
    opened.add(entry);
    return true;
  });
}

/** Estimates count letters by Latin words. Other scripts need about a token for each, and a claim must not be too large for the room. */
function denseTokens(text: string): number {
  return text.match(/[^\p{ASCII}\p{Script=Latin}\p{P}]/gu)?.length ?? 0;
}
