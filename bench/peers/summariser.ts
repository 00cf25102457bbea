import { contentHash } from '../../src/core/conversation/hash.ts';
import { o200k } from '../../src/models/o200k.ts';
import { type Behaviour, behave, type Reply, startModelServer } from '../../src/testing/index.ts';
import { folded } from './text.ts';
import type { BenchFact, SummariserPlace } from './types.ts';

/** What the summariser was asked since the last reset. */
export interface Asked {
  readonly calls: number;
  /** Tokens of all requests. */
  readonly shown: number;
  /** Tokens of the longest request. */
  readonly longest: number;
  /** Tokens of output that the requests allowed, by `max_tokens` and the like; null when none said so. */
  readonly allowed: number | null;
  readonly written: number;
  /** Time the server itself took: not the peer's. */
  readonly ms: number;
}

export interface Summariser {
  readonly place: SummariserPlace;
  /** Acts like this from now on, and forgets what it was asked. */
  act(how: Manner): void;
  asked(): Asked;
  close(): Promise<void>;
}

/** How the summariser acts. A bank goes with the one that is perfect: it knows which facts matter, and sees them only where it is shown them. */
export type Manner =
  | { readonly type: 'perfect'; readonly facts: readonly BenchFact[] }
  /** As perfect, but each time it is asked it leaves a quarter of what it could say out: which, depends on the fact and on how often it was asked. */
  | { readonly type: 'forgetful'; readonly facts: readonly BenchFact[] }
  /** As perfect, but each fact is said as the question and its value instead of a quote. */
  | { readonly type: 'rewording'; readonly facts: readonly BenchFact[] }
  | { readonly type: 'silent' }
  | { readonly type: 'cut-off'; readonly facts: readonly BenchFact[] }
  | { readonly type: 'throws' }
  | { readonly type: 'empty' }
  | { readonly type: 'refuses' }
  | { readonly type: 'floods' };

export const MODEL_WINDOW = 128_000;
const MAX_OUTPUT = 16_000;

/** A real server on loopback that every arm asks. More than its window is answered with a provider's error, whatever the manner. */
export async function startSummariser(): Promise<Summariser> {
  let manner: Manner = { type: 'silent' };
  let asked: Asked = NOTHING;
  const server = await startModelServer((request) => {
    const started = performance.now();
    const body = server.requests.at(-1)?.body as LimitedBody;
    const text = `${request.instructions}\n${request.prompt}`;
    const shown = o200k.count(text);
    const limit = body.max_tokens ?? body.max_completion_tokens ?? null;
    const acting =
      shown > MODEL_WINDOW
        ? behave.overflow(MODEL_WINDOW)
        : actingAs(manner, { seen: text, limit, calls: asked.calls });
    const reply = acting.reply(request);
    asked = {
      calls: asked.calls + 1,
      shown: asked.shown + shown,
      longest: Math.max(asked.longest, shown),
      allowed: limit === null ? asked.allowed : (asked.allowed ?? 0) + limit,
      written: asked.written + writtenTokens(reply),
      ms: asked.ms + performance.now() - started,
    };
    return { name: acting.name, reply: () => reply };
  });
  return {
    place: {
      baseUrl: `${server.url}/v1`,
      apiKey: 'none',
      modelId: 'scripted',
      window: MODEL_WINDOW,
      maxOutput: MAX_OUTPUT,
    },
    act: (how) => {
      manner = how;
      asked = NOTHING;
    },
    asked: () => asked,
    close: () => server.close(),
  };
}

interface LimitedBody {
  readonly max_tokens?: number;
  readonly max_completion_tokens?: number;
}

const NOTHING: Asked = { calls: 0, shown: 0, longest: 0, allowed: null, written: 0, ms: 0 };

function writtenTokens(reply: Reply): number {
  return reply.type !== 'written'
    ? 0
    : reply.text.length > 1_000_000
      ? Math.round(reply.text.length / 4)
      : o200k.count(reply.text);
}

export const REFUSAL = "I'm sorry, but I can't help with that request.";
/** Said over and over by the one that does not stop: 500,000 tokens, or as many as the request allows. */
export const FLOOD_LINE = 'the work went on as planned and the next steps were looked at ';

interface Asking {
  readonly seen: string;
  /** Tokens that the request allows; null when it does not say. */
  readonly limit: number | null;
  /** Requests before this one. */
  readonly calls: number;
}

function actingAs(manner: Manner, { seen, limit, calls }: Asking): Behaviour {
  const budget = Math.min(limit ?? MAX_OUTPUT, MAX_OUTPUT);
  switch (manner.type) {
    case 'perfect':
      return behave.answer(perfectSummary(seen, manner.facts, budget));
    case 'rewording':
      return behave.answer(perfectSummary(seen, manner.facts, budget, inOwnWords));
    case 'forgetful':
      return behave.answer(
        perfectSummary(
          seen,
          manner.facts.filter(({ id }) => isRemembered(id, calls)),
          budget,
        ),
      );
    case 'cut-off':
      return behave.truncated(`## Goal\n- The work that was asked for, as far as it`);
    case 'silent':
      return behave.answer(SILENT);
    case 'throws':
      return behave.status(500);
    case 'empty':
      return behave.empty;
    case 'refuses':
      return behave.answer(REFUSAL);
    case 'floods':
      // A provider stops where the request says so, and says that it did.
      return limit === null
        ? behave.answer(FLOOD_LINE.repeat(42_000))
        : behave.truncated(FLOOD_LINE.repeat(Math.ceil(limit / o200k.count(FLOOD_LINE))));
  }
}

/** Three of four, by the letters of the id, another three of four each time. */
function isRemembered(id: string, calls: number): boolean {
  return Number.parseInt(contentHash(`${calls} ${id}`).slice(-6), 16) % 4 !== 0;
}

/** Well formed, long enough, and of no use. */
export const SILENT: string = [
  '## Goal',
  '- The work that the user asked for.',
  '## Progress',
  '- Several files were looked at and some of them were changed. Commands were run and their output was read.',
  '- Questions of the user were answered.',
  '## Next Steps',
  '- The work goes on where it stood.',
].join('\n');

const HEADINGS: readonly (readonly [string, RegExp])[] = [
  ['## Constraints & Preferences', /constraint/],
  ['## Key Decisions', /decision|cause/],
  ['## Relevant Files', /path|file/],
  ['## Errors & Fixes', /error/],
  ['## Next Steps', /todo/],
  ['## Critical Context', /./],
];
/** Characters of a line around a fact. */
const LINE_LENGTH = 180;

/** Every fact that stands in what it was shown, in the words it was shown, as many as fit into its budget. */
export function perfectSummary(seen: string, facts: readonly BenchFact[], budget: number, tell: Tell = quoted): string {
  const text = folded(seen);
  const rows = seen.split(/\n|\\n/).map(folded);
  const lines = new Map<string, string[]>();
  let left = Math.min(budget, MAX_OUTPUT) - 60;
  for (const fact of facts) {
    const { kind, needles } = fact;
    if (!needles.every((needle) => text.includes(needle))) continue;
    const heading = HEADINGS.find(([, kinds]) => kinds.test(kind))?.[0] ?? '## Critical Context';
    const line = `- ${tell(fact, [...rows, text])}`;
    left -= o200k.count(line) + 1;
    if (left < 0) break;
    lines.set(heading, [...(lines.get(heading) ?? []), line]);
  }
  const sections = HEADINGS.flatMap(([heading]) => {
    const own = [...new Set(lines.get(heading) ?? [])];
    return own.length === 0 ? [] : [heading, ...own];
  });
  return ['## Goal', '- The work that the user asked for.', ...sections].join('\n');
}

/** How a fact is told: what was shown, line by line, and all of it as the last. */
export type Tell = (fact: BenchFact, rows: readonly string[]) => string;

const quoted: Tell = ({ needles }, rows) => excerpts(rows, needles).join(' … ');
export const inOwnWords: Tell = ({ question, needles }) => `${question} ${needles.join(', ')}`;

/** A piece of the line around each needle, the last time it is said; needles that stand together share one. One that no line holds is looked for across lines. */
function excerpts(rows: readonly string[], needles: readonly string[]): readonly string[] {
  const found: string[] = [];
  for (const needle of needles) {
    if (found.some((piece) => piece.includes(needle))) continue;
    const row = rows.findLast((each, index) => index < rows.length - 1 && each.includes(needle)) ?? rows.at(-1) ?? '';
    const at = row.lastIndexOf(needle);
    const around = Math.floor(Math.max(0, LINE_LENGTH - needle.length) / 2);
    found.push(row.slice(wordStart(row, at, around), wordEnd(row, at + needle.length, around)).trim());
  }
  return found;
}

/** Where a piece begins: the sentence or list item, or at least a word. */
function wordStart(row: string, at: number, most: number): number {
  const from = Math.max(0, at - most);
  const piece = row.slice(from, at);
  const sentence = piece.lastIndexOf('. ');
  if (sentence >= 0) return from + sentence + 2;
  return from === 0 ? 0 : from + piece.indexOf(' ') + 1;
}

function wordEnd(row: string, at: number, most: number): number {
  const piece = row.slice(at, at + most);
  const sentence = piece.indexOf('. ');
  if (sentence >= 0) return at + sentence + 1;
  return at + most >= row.length ? row.length : at + Math.max(0, piece.lastIndexOf(' '));
}
