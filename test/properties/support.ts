import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { longFixture } from '../../scripts/make-long-fixture.ts';
import { compact } from '../../src/core/compact.ts';
import { type Conversation, historyOf } from '../../src/core/conversation/conversation.ts';
import { type Message, resultTextOf } from '../../src/core/conversation/message.ts';
import { findOriginal, refsIn } from '../../src/core/conversation/ref.ts';
import { splitSteps } from '../../src/core/conversation/steps.ts';
import type { Fact } from '../../src/core/facts/fact.ts';
import { recordHistory } from '../../src/core/facts/history-record.ts';
import type { Format } from '../../src/core/format.ts';
import { heuristicCounter } from '../../src/core/tokens/counter.ts';
import { createMeasure } from '../../src/core/tokens/measure.ts';
import { judgeFacts } from '../../src/core/worth/judge-facts.ts';
import { aiSdk, anthropic, gemini, langChain, openaiChat, openaiResponses } from '../../src/formats/index.ts';
import { type CompactionCase, type CompactionLike, type CompactLike, compactionLaws } from '../../src/testing/index.ts';
import { type Script, type WireFormat, wireOf } from './arbitraries.ts';

/** The same conversations in every run, unless PRECIS_SEED says otherwise. fast-check names the seed when a property fails. */
export const SEED: number = Number(process.env['PRECIS_SEED'] ?? 20_260_301);

export const FORMATS: Readonly<Record<WireFormat, Format>> = {
  'openai-chat': openaiChat,
  anthropic,
  'openai-responses': openaiResponses,
  gemini,
  'ai-sdk': aiSdk,
  langchain: langChain,
};
export const FORMAT_IDS: readonly WireFormat[] = [
  'openai-chat',
  'anthropic',
  'openai-responses',
  'gemini',
  'ai-sdk',
  'langchain',
];

/** Share of a conversation that a target asks for; the smallest ones can only be refused. */
export const share: fc.Arbitrary<number> = fc.oneof(
  { weight: 1, arbitrary: fc.constantFrom(0.01, 0.05, 0.97) },
  { weight: 5, arbitrary: fc.integer({ min: 15, max: 90 }).map((percent) => percent / 100) },
);

export function decoded(format: WireFormat, script: Script): Conversation {
  return FORMATS[format].decode(wireOf(format, script)).conversation;
}

export function tokensOf(conversation: Conversation): number {
  return createMeasure(heuristicCounter).conversation(conversation);
}

export function targetOf(conversation: Conversation, part: number): number {
  return Math.max(1, Math.floor(tokensOf(conversation) * part));
}

/**
 * Runs a property. A failure names the seed and the path to replay it. Shrinking a conversation takes minutes, so it happens only when
 * PRECIS_SHRINK is set; then the smallest conversation is shown too.
 */
export async function check<Values extends [unknown, ...unknown[]]>(
  property: fc.IAsyncProperty<Values>,
  numRuns: number,
): Promise<void> {
  const shrinks = process.env['PRECIS_SHRINK'] !== undefined;
  const details = await fc.check(property, { seed: SEED, numRuns, endOnFailure: !shrinks });
  if (!details.failed) return;
  const { errorInstance, counterexample, counterexamplePath, numRuns: runs } = details;
  const reason = errorInstance instanceof Error ? errorInstance.message : String(errorInstance);
  const smallest = shrinks ? `\n${fc.stringify(counterexample)}` : '';
  throw new Error(`run ${runs}, seed ${SEED}, path ${counterexamplePath}: ${reason}${smallest}`, {
    cause: errorInstance,
  });
}

/** Runs every law on one conversation; the message of a failure begins with the name of the law. */
export async function obeys(subject: CompactionCase): Promise<CompactionLike> {
  let result: CompactionLike | null = null;
  const remembered: CompactLike = async (conversation, format, options) => {
    const compaction = await compact(conversation, format, options);
    result ??= compaction;
    return compaction;
  };
  for (const law of compactionLaws(remembered, subject))
    try {
      await law.run();
    } catch (error) {
      throw new Error(`${law.name}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
    }
  if (result === null) throw new Error('no law compacted anything');
  return result;
}

/** All that can be read in a view: white space folded, arguments also without their escapes. */
export function readable(messages: readonly Message[]): string {
  const texts: string[] = [];
  for (const message of messages)
    for (const part of message.parts) {
      if (part.type === 'text') texts.push(part.text);
      else if (part.type === 'tool-result') texts.push(resultTextOf(part));
      else if (part.type === 'tool-call') {
        texts.push(part.name, part.arguments);
        try {
          JSON.parse(part.arguments, (_key, value: unknown) => {
            if (typeof value === 'string') texts.push(value);
            return value;
          });
        } catch {
          // Arguments that are not JSON are read as they are.
        }
      }
    }
  return folded(texts.join(' '));
}

export function folded(text: string): string {
  return text.replace(/\s+/g, ' ');
}

/** True when every needle of a fact can be read. A heading names the tool and then what it worked on; in a call these stand apart. */
export function says(text: string, { needles }: Pick<Fact, 'needles'>): boolean {
  return needles.every((needle) => {
    const wanted = folded(needle);
    const [tool = '', ...rest] = wanted.split(' ');
    return text.includes(wanted) || (rest.length > 0 && text.includes(tool) && text.includes(rest.join(' ')));
  });
}

/** Facts are taken from output without its escapes and braces; compared bare, both are the same. */
function bare(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character is what starts a terminal sequence
  return text.replace(/\u001b\[[0-9;?]*[A-Za-z]/g, '').replace(/[\s"'{}[\],\\]/g, '');
}

/** Cuts a conversation between steps into about so many parts, as a living session would grow. */
export function partsOf(messages: readonly Message[], count: number): readonly (readonly Message[])[] {
  const steps = splitSteps(messages);
  const parts = Math.min(count, steps.length);
  let from = 0;
  return Array.from({ length: parts }, (_, part) => {
    const to = steps[Math.floor((steps.length * (part + 1)) / parts) - 1]?.to ?? messages.length;
    const own = messages.slice(from, to);
    from = to;
    return own;
  });
}

/** Critical facts that are neither to be read in the view nor behind a ref that stands in it. */
export function lostFacts(
  after: Conversation,
  wanted: (fact: Fact) => boolean = ({ critical }) => critical,
): readonly Fact[] {
  const history = historyOf(after);
  const { facts, numbers } = recordHistory(history);
  const ledger = judgeFacts(facts);
  const text = readable(after.messages);
  const inView = new Set(after.messages);
  const steps = splitSteps(history);
  const covered = new Set<number>();
  for (const ref of new Set(after.messages.flatMap((message) => refsIn(readable([message]))))) {
    const original = findOriginal(history, ref);
    if (original?.type === 'messages')
      for (let index = 0; index < original.messages.length; index++) covered.add(index);
    // The ref of a result leads to its message, and from there to the call that asked for it.
    else if (original?.type === 'result' || original?.type === 'call') {
      const step = steps.find(({ from, to }) => original.message >= from && original.message < to);
      for (let index = step?.from ?? 0; index < (step?.to ?? 0); index++) covered.add(index);
    }
  }
  return ledger.facts.filter((fact) => {
    if (!wanted(fact) || says(text, fact)) return false;
    const index = numbers.findIndex((number) => number >= fact.source.message);
    const source = history[index];
    if (covered.has(index) || (source !== undefined && inView.has(source))) return false;
    return !fact.needles.every((needle) => bare(text).includes(bare(needle)));
  });
}

export interface Fixture {
  readonly name: string;
  readonly format: Format;
  readonly wire: unknown;
  readonly conversation: Conversation;
}

/** Sessions of the fixtures that are kept as a file, and their format. */
const SESSIONS: readonly (readonly [string, Format])[] = [
  ['rate-limiter', openaiChat],
  ['flight-change', anthropic],
  ['incident', openaiChat],
  ['triage-pr', openaiChat],
  ['weekly-jobs', openaiChat],
  ['chained-merge', openaiChat],
  ['patch-and-merge', openaiChat],
];

/** The sessions of `fixtures/`, without the long one, which is made by a script. */
export function fixtures(): readonly Fixture[] {
  return SESSIONS.map(([name, format]) => {
    const folder = new URL(`../../fixtures/${name}/`, import.meta.url);
    const lines = new URL('session.jsonl', folder);
    const wire: unknown = existsSync(lines)
      ? readFileSync(lines, 'utf8')
          .trim()
          .split('\n')
          .map((line): unknown => JSON.parse(line))
      : JSON.parse(readFileSync(new URL('session.json', folder), 'utf8'));
    return { name, format, wire, conversation: format.decode(wire).conversation };
  });
}

/** The session of over 100,000 tokens. */
export function longHaul(): Fixture {
  const wire: unknown = JSON.parse(readFileSync(join(longFixture(), 'session.json'), 'utf8'));
  return { name: 'long-haul', format: openaiChat, wire, conversation: openaiChat.decode(wire).conversation };
}

/** Something that must be in a view: of each list of wordings, one. */
export interface FixtureFact {
  readonly id: string;
  readonly wordings: readonly (readonly string[])[];
}

/** What the probes of a fixture expect, in the older form (`facts`) and the newer one (`probes`). */
export function factsOf(name: string): readonly FixtureFact[] {
  const { facts = [], probes = [] } = probeFile(name);
  if (facts.length > 0) return facts.map(({ id, needles }) => ({ id, wordings: needles.map((needle) => [needle]) }));
  return probes.flatMap(({ id, expected_facts: expected }) =>
    expected.map((fact) => ({
      id,
      wordings: [typeof fact === 'string' ? [fact] : [fact.value, ...(fact.aliases ?? [])]],
    })),
  );
}

/** True when one wording of each list can be read in a folded text. */
export function holds(text: string, { wordings }: FixtureFact): boolean {
  return wordings.every((choice) => choice.some((wording) => text.includes(folded(wording))));
}

export function probeFile(name: string): ProbeFile {
  return JSON.parse(readFileSync(new URL(`../../fixtures/${name}/probes.json`, import.meta.url), 'utf8')) as ProbeFile;
}

/** `probes.json` as it is on disk. */
export interface ProbeFile {
  readonly facts?: readonly { readonly id: string; readonly needles: readonly string[] }[];
  readonly fixture?: string;
  readonly probes?: readonly {
    readonly id: string;
    readonly type: string;
    readonly question: string;
    readonly pass?: number;
    readonly expected_facts: readonly (
      | string
      | {
          readonly value: string;
          readonly kind: string;
          readonly aliases?: readonly string[];
          readonly stale?: readonly string[];
          readonly forbidden?: readonly string[];
          readonly weight?: 'vital' | 'okay';
        }
    )[];
  }[];
}
