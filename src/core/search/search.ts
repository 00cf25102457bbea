import { type Message, resultTextOf, type ToolCallPart, toolCallsOf, toolResultsOf } from '../conversation/message.ts';
import { findOriginal, type Original, type Ref, refOfCall, refOfResult } from '../conversation/ref.ts';
import { shorten } from '../language/cut.ts';
import { heuristicCounter, type TokenCounter } from '../tokens/counter.ts';
import { emptyAnswer, fillBudget, type Hit, originalAnswer, type Room, type SearchAnswer } from './answer.ts';
import { type CallLookup, cutSections, sectionsOf } from './chunks.ts';
import { type PlacedChunk, rank } from './rank.ts';
import type { Candidate, SearchIndex } from './search-index.ts';
import { queryWords } from './words.ts';

/** A stored history to search, whose messages were indexed with `createChunker`. */
export interface SearchSource {
  readonly search: SearchIndex;
  /** Messages by index, in the order asked for. Indexes beyond the end of the history give nothing. */
  messagesAt(indexes: readonly number[]): Promise<readonly Message[]>;
  /** The original behind a ref, if the source has a faster way than reading everything. */
  original?(ref: Ref): Original | null;
}

export interface SearchOptions {
  /** The most tokens that the answer may have as JSON; at least 200. Default 1,500, enough for about ten hits. */
  readonly tokens?: number;
  /** Default: the heuristic one. */
  readonly counter?: TokenCounter;
  /** Where to begin in an original that the query names by ref or number, in characters. Default 0. */
  readonly offset?: number;
}

/**
 * Answers a question with excerpts from the original history, best first. For a ref (`⟦r:…⟧`, `r:…`) or a number (`#12`), the answer is the original
 * itself. If nothing is found, the answer is a note on what to try.
 */
export async function search(query: string, source: SearchSource, options: SearchOptions = {}): Promise<SearchAnswer> {
  const counter = options.counter ?? heuristicCounter;
  const budget = Math.max(LEAST_TOKENS, Math.floor(options.tokens ?? DEFAULT_TOKENS) || 0);
  const room = { query: shownQuery(query, budget, counter), budget, counter };
  const history = createReader(source);
  const asked: Asked = { history, source, room, offset: Math.floor(options.offset ?? 0) || 0 };
  const ref = REF_QUERY.exec(query)?.[1];
  if (ref !== undefined) return answerRef(`⟦r:${ref}⟧`, asked);
  const number = NUMBER_QUERY.exec(query)?.[1];
  if (number !== undefined) return answerNumber(Number(number), asked);

  const words = queryWords(query);
  if (words.length === 0) return emptyAnswer(NO_WORDS, room);
  const candidates = await source.search(
    words.map(({ word }) => word),
    CANDIDATES,
  );
  const chunks = await placedChunks(candidates, history);
  if (chunks.length === 0) return emptyAnswer(NOTHING_FOUND, room);
  const size = Math.max(...chunks.map(({ message }) => message)) + 1;
  return fillBudget(rank(chunks, words, { question: query.slice(0, QUESTION_CHARS), size }), room);
}

const DEFAULT_TOKENS = 1_500;
/** Less cannot hold one hit. */
const LEAST_TOKENS = 200;
/** More bring nothing: all others share too few words with the question. */
const CANDIDATES = 300;
const QUESTION_CHARS = 4_000;
const REF_QUERY = /^\s{0,99}⟦?r:([0-9a-f]{13})⟧?\s{0,99}$/;
const NUMBER_QUERY = /^\s{0,99}#(\d{1,9})\s{0,99}$/;
const NO_WORDS =
  'The query has no word to search for. Ask with the names, numbers or words that the passage would hold, or for one message by its number, such as #12.';
const NOTHING_FOUND =
  'Nothing in the history has a word of this query. Try other words for it, or a name that was used.';

/** The query as the answer repeats it, shortened when it would leave too little for hits. */
function shownQuery(query: string, budget: number, counter: TokenCounter): string {
  let shown = query.length > 300 ? `${query.slice(0, 300)}…` : query;
  while (shown.length > 1 && counter.count(JSON.stringify(shown)) > budget / 4)
    shown = `${shown.slice(0, shown.length >> 1)}…`.slice(0, shown.length - 1);
  return shown;
}

/** Everything that an answer is made from. */
interface Asked {
  readonly history: Reader;
  readonly source: SearchSource;
  readonly room: Room;
  /** Where to begin in an original, in characters. */
  readonly offset: number;
}

interface Reader {
  /** Loads messages by index, each once. */
  load(indexes: readonly number[]): Promise<void>;
  at(index: number): Message | undefined;
}

function createReader(source: SearchSource): Reader {
  const known = new Map<number, Message>();
  return {
    async load(indexes) {
      const wanted = [...new Set(indexes)].filter((index) => index >= 0 && !known.has(index)).sort((a, b) => a - b);
      if (wanted.length === 0) return;
      const found = await source.messagesAt(wanted);
      for (const [place, message] of found.entries()) {
        const index = wanted[place];
        if (index !== undefined) known.set(index, message);
      }
    },
    at: (index) => known.get(index),
  };
}

/** For this many of the best candidates, the beginning of the next message is considered too. */
const ANSWERED = 40;

/** Candidates and the chunks next to them, with their texts. */
async function placedChunks(candidates: readonly Candidate[], history: Reader): Promise<readonly PlacedChunk[]> {
  const wanted = new Map<number, Set<number>>();
  for (const { message, chunk } of candidates) {
    const places = wanted.get(message) ?? new Set();
    wanted.set(
      message,
      places
        .add(chunk - 1)
        .add(chunk)
        .add(chunk + 1),
    );
  }
  // The answer to a message may share no word with the question: `Yes, the second one.`
  for (const { message } of candidates.slice(0, ANSWERED)) {
    const places = wanted.get(message + 1) ?? new Set();
    wanted.set(message + 1, places.add(0).add(1));
  }
  await history.load([...wanted.keys()]);
  await loadCalls([...wanted.keys()], history);
  const placed: PlacedChunk[] = [];
  for (const [index, places] of wanted) {
    const message = history.at(index);
    if (message === undefined) continue;
    const sections = sectionsOf(message, callsBefore(index, history));
    for (const [at, { section: sectionAt, from, to }] of cutSections(sections).entries()) {
      const section = sections[sectionAt];
      if (!places.has(at) || section === undefined) continue;
      const text = section.text.slice(from, to);
      placed.push({ message: index, chunk: at, role: message.role, section, sectionAt, from, to, text });
    }
  }
  return placed;
}

/** How many messages before a result to look for its call, nearest first: the calls of one message may have many results. */
const CALL_DISTANCES = [4, 32, 256];

async function loadCalls(indexes: readonly number[], history: Reader): Promise<void> {
  for (const distance of CALL_DISTANCES) {
    const open = indexes.filter((index) => {
      const find = callsBefore(index, history);
      const message = history.at(index);
      return message !== undefined && toolResultsOf(message).some(({ callId }) => find(callId) === undefined);
    });
    if (open.length === 0) return;
    await history.load(open.flatMap((index) => Array.from({ length: distance }, (_, back) => index - 1 - back)));
  }
}

function callsBefore(index: number, history: Reader): CallLookup {
  return (callId) => {
    for (let at = index; at >= 0 && at >= index - (CALL_DISTANCES.at(-1) ?? 0); at--) {
      const call = callIn(history.at(at), callId);
      if (call !== undefined) return call;
    }
    return undefined;
  };
}

function callIn(message: Message | undefined, callId: string): ToolCallPart | undefined {
  return message === undefined ? undefined : toolCallsOf(message).findLast((call) => call.callId === callId);
}

/** How many messages are read at a time while looking for a ref. */
const BATCH = 256;

async function answerRef(ref: Ref, { history, source, room, offset }: Asked): Promise<SearchAnswer> {
  const messages: Message[] = [];
  for (;;) {
    const from = messages.length;
    await history.load(Array.from({ length: BATCH }, (_, at) => from + at));
    for (let message = history.at(from); message !== undefined; message = history.at(messages.length))
      messages.push(message);
    if (messages.length < from + BATCH) break;
  }
  const original = source.original?.(ref) ?? findOriginal(messages, ref);
  if (original === null) return emptyAnswer(`No original in this history has the ref ${ref}.`, room);
  return originalAnswer(hitOfOriginal(original, ref, messages), offset, room);
}

/** No real name is longer, and a longer one would leave too little for the original. */
const TOOL_CHARS = 80;

function hitOfOriginal(original: Original, ref: Ref, history: readonly Message[]): Omit<Hit, 'score'> {
  switch (original.type) {
    case 'messages': {
      const text = original.messages.map((message, index) => `#${index + 1} ${message.role}: ${wholeText(message)}`);
      return { message: 1, role: original.messages[0]?.role ?? 'user', ref, text: text.join('\n\n') };
    }
    case 'call': {
      const { name, arguments: text } = original.part;
      return { message: original.message + 1, role: 'assistant', tool: shorten(name, TOOL_CHARS), ref, text };
    }
    case 'result': {
      const tool = history.slice(0, original.message).findLast((message) => callIn(message, original.part.callId));
      const name = callIn(tool, original.part.callId)?.name;
      return {
        message: original.message + 1,
        role: history[original.message]?.role ?? 'tool',
        ...(name === undefined ? {} : { tool: shorten(name, TOOL_CHARS) }),
        ref,
        text: resultTextOf(original.part),
      };
    }
  }
}

async function answerNumber(number: number, { history, room, offset }: Asked): Promise<SearchAnswer> {
  await history.load([number - 1]);
  const message = history.at(number - 1);
  if (message === undefined) return emptyAnswer(`The history has no message #${number}.`, room);
  const [only, ...others] = message.parts;
  const ref =
    others.length > 0
      ? undefined
      : only?.type === 'tool-result'
        ? refOfResult(only)
        : only?.type === 'tool-call'
          ? refOfCall(only)
          : undefined;
  const text = wholeText(message);
  return originalAnswer(
    { message: number, role: message.role, ...(ref === undefined ? {} : { ref }), text },
    offset,
    room,
  );
}

/** All words of a message as they are. */
function wholeText({ parts }: Message): string {
  return parts
    .flatMap((part) => {
      switch (part.type) {
        case 'text':
        case 'reasoning':
          return [part.text];
        case 'tool-call':
          return [`${part.name} ${part.arguments}`];
        case 'tool-result':
          return [resultTextOf(part)];
        case 'opaque':
          return part.hosted === undefined ? [] : [part.hosted.arguments ?? '', part.hosted.output ?? ''];
        case 'image':
        case 'file':
          return [];
      }
    })
    .join('\n');
}
