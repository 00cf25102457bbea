import { type Conversation, historyOf } from '../core/conversation/conversation.ts';
import { type Message, resultTextOf, textOf, toolResultsOf } from '../core/conversation/message.ts';
import { findOriginal, type Ref, refsIn } from '../core/conversation/ref.ts';
import { splitSteps } from '../core/conversation/steps.ts';
import { lastUserIndex } from '../core/conversation/turns.ts';
import type { Format } from '../core/format.ts';
import type { Receipt } from '../core/receipt/receipt.ts';
import { isHandoff } from '../core/record/handoff/handoff-message.ts';
import { heuristicCounter, type TokenCounter } from '../core/tokens/counter.ts';
import { createMeasure, type Measure } from '../core/tokens/measure.ts';

/** A law whose subject may be asynchronous. Throws or rejects when it is broken; needs no test runner. */
export interface AsyncLaw {
  readonly name: string;
  run(): void | Promise<void>;
}

/** What a compaction gives back, as far as the laws look at it. */
export interface CompactionLike {
  readonly conversation: Conversation;
  readonly outcome: Receipt['outcome'];
  readonly refusal: string | null;
  readonly receipt: Receipt;
}

/** `compact` of this package, or anything that promises the same. */
export type CompactLike = (
  conversation: Conversation,
  format: Format,
  options: { readonly target: number; readonly counter: TokenCounter },
) => Promise<CompactionLike>;

export interface CompactionCase {
  /** Sound for its format. It is frozen, so that changing it throws. */
  readonly conversation: Conversation;
  readonly format: Format;
  /** Tokens the view must not exceed. */
  readonly target: number;
  /** @default heuristicCounter */
  readonly counter?: TokenCounter;
}

/**
 * What every compaction owes its caller, shown on one conversation and target.
 *
 * @example
 * ```ts
 * for (const law of compactionLaws(compact, { conversation, format: openaiChat, target: 4_000 })) it(law.name, () => law.run());
 * ```
 */
export function compactionLaws(compact: CompactLike, subject: CompactionCase): readonly AsyncLaw[] {
  const { format, target, counter = heuristicCounter } = subject;
  const measure = createMeasure(counter);
  const before = subject.conversation;
  let once: Promise<Done> | null = null;
  // One compaction serves all laws: they look at the same result.
  const done = (): Promise<Done> => {
    once ??= (async () => {
      deepFreeze(before);
      const compaction = await compact(before, format, { target, counter });
      return { before, after: compaction.conversation, compaction, format, target, measure };
    })();
    return once;
  };
  const law = (name: string, check: (value: Done) => void | Promise<void>): AsyncLaw => ({
    name,
    run: async () => check(await done()),
  });
  return [
    law('what comes back is sound', isSound),
    law('the target holds, or a typed refusal gives back the very same conversation', holdsTarget),
    law('the view is never larger than what came in', isNotLarger),
    law('system messages, the last user message and calls in flight are untouched', keepsProtected),
    law('messages that stay as they were stay in order', keepsOrder),
    law('the history is all that was said, as it was', keepsHistory),
    law('compacting the result again changes nothing', (value) => isIdempotent(compact, value)),
    law('every ref that was written resolves', refsResolve),
    law('the ref in place of a result leads to that very result', refsLeadHome),
    law('no fact is lost', losesNoFact),
    law('the numbers of the receipt are those that are measured', receiptAgrees),
    law('nothing before the earliest changed index has changed', keepsCachedPrefix),
  ];
}

interface Done {
  readonly before: Conversation;
  readonly after: Conversation;
  readonly compaction: CompactionLike;
  readonly format: Format;
  readonly target: number;
  readonly measure: Measure;
}

function isSound({ after, format }: Done): void {
  const [issue] = format.check(after);
  expect(issue === undefined, `message ${issue?.message} breaks ${issue?.rule}: ${issue?.text}`);
}

function holdsTarget({ before, after, compaction, target, measure }: Done): void {
  const tokens = measure.conversation(after);
  const { outcome, refusal } = compaction;
  if (outcome === 'unchanged' || outcome === 'refused')
    expect(after === before, `${outcome}, but another conversation came back`);
  else expect(after !== before, `${outcome}, but the same conversation came back`);
  expect((outcome === 'refused') === (refusal !== null), `outcome ${outcome} with refusal ${refusal}`);
  expect(outcome === 'refused' || tokens <= target, `${outcome}: ${tokens} tokens are more than ${target}`);
  expect(
    outcome !== 'refused' || measure.conversation(before) > target,
    'refused although the conversation fits the target',
  );
}

function isNotLarger({ before, after, measure }: Done): void {
  const [from, to] = [measure.conversation(before), measure.conversation(after)];
  expect(to <= from, `${from} tokens became ${to}`);
}

function keepsProtected({ before, after }: Done): void {
  const kept = new Set(after.messages);
  for (const { message, why } of protectedMessages(before.messages))
    expect(kept.has(message), `${why} (message ${before.messages.indexOf(message)}) is gone or another object`);
}

interface Protected {
  readonly message: Message;
  readonly why: string;
}

function protectedMessages(messages: readonly Message[]): readonly Protected[] {
  const found: Protected[] = messages
    .filter((message) => message.role === 'system')
    .map((message) => ({ message, why: 'a system message' }));
  // An earlier handoff has the role of the user, but nobody said it.
  const said = messages.filter((message) => !isHandoff(message));
  const lastUser = said[lastUserIndex(said)];
  if (lastUser !== undefined) found.push({ message: lastUser, why: 'the last user message' });
  for (const step of splitSteps(messages))
    if (step.inFlight.length > 0)
      for (const message of messages.slice(step.from, step.to)) found.push({ message, why: 'a call in flight' });
  return found;
}

function keepsOrder({ before, after }: Done): void {
  const indexOf = new Map(historyOf(before).map((message, index) => [message, index]));
  let last = -1;
  for (const message of after.messages) {
    const index = indexOf.get(message);
    if (index === undefined) continue;
    expect(index > last, `message ${index} of the history stands behind message ${last}`);
    last = index;
  }
}

function keepsHistory({ before, after }: Done): void {
  const [said, kept] = [historyOf(before), historyOf(after)];
  expect(
    said.length === kept.length && said.every((message, index) => message === kept[index]),
    'the history is another one',
  );
}

async function isIdempotent(compact: CompactLike, { after, compaction, format, target, measure }: Done): Promise<void> {
  const again = await compact(after, format, { target, counter: measure.counter });
  const expected = compaction.outcome === 'refused' ? 'refused' : 'unchanged';
  expect(again.outcome === expected, `the second time gave ${again.outcome}, expected ${expected}`);
  expect(again.conversation === after, 'the second time gave another conversation');
}

/** Refs that stand in what was said are quoted as they are; only those the compaction wrote are promises. */
function refsSaid(conversation: Conversation): ReadonlySet<Ref> {
  const messages = [...historyOf(conversation), ...conversation.messages];
  return new Set(messages.flatMap((message) => refsIn(textIn(message))));
}

function refsResolve({ before, after }: Done): void {
  const history = historyOf(before);
  const quoted = refsSaid(before);
  const written = new Set(after.messages.flatMap((message) => refsIn(textIn(message))));
  for (const ref of written) expect(quoted.has(ref) || findOriginal(history, ref) !== null, `${ref} leads nowhere`);
}

function refsLeadHome({ before, after }: Done): void {
  const history = historyOf(before);
  const quoted = refsSaid(before);
  const byWire = new Map(
    history.filter((message) => message.raw !== undefined).map((message) => [message.raw, message]),
  );
  const known = new Set(history);
  for (const message of after.messages) {
    const original = known.has(message) || message.base === undefined ? undefined : byWire.get(message.base);
    if (original === undefined) continue;
    const originals = new Map(toolResultsOf(original).map((part) => [part.callId, part]));
    for (const part of toolResultsOf(message)) {
      const source = originals.get(part.callId);
      const ref = refsIn(resultTextOf(part)).find((candidate) => !quoted.has(candidate));
      if (source === undefined || ref === undefined || resultTextOf(source) === resultTextOf(part)) continue;
      const found = findOriginal(history, ref);
      expect(
        found?.type === 'result' && plain(found.part.content) === plain(source.content),
        `${ref} in the result of \`${part.callId}\` leads to something else`,
      );
    }
  }
}

function losesNoFact({ compaction }: Done): void {
  const { critical, kept, recoverable, lost } = compaction.receipt.facts;
  expect(lost === 0, `${lost} of ${critical} critical facts are lost`);
  expect(kept + recoverable + lost === critical, `${kept} + ${recoverable} + ${lost} is not ${critical}`);
}

function receiptAgrees({ before, after, compaction, target, measure }: Done): void {
  const { tokens, messages, cache, edits, outcome } = compaction.receipt;
  expect(outcome === compaction.outcome, `outcome ${outcome} is not ${compaction.outcome}`);
  same('tokens.before', tokens.before, measure.conversation(before));
  same('tokens.after', tokens.after, measure.conversation(after));
  same('tokens.target', tokens.target, target);
  same('messages.before', messages.before, before.messages.length);
  same('messages.after', messages.after, after.messages.length);
  const first = cache.earliestChangedIndex;
  same(
    'cache.invalidatedTokens',
    cache.invalidatedTokens,
    first < 0 ? 0 : measure.messages(before.messages.slice(first)),
  );
  expect(edits.length > 0 === (after !== before), `${edits.length} edits, outcome ${outcome}`);
  let last = -1;
  for (const { kind, from, to, ref, tokensBefore } of edits) {
    expect(from > last && to >= from && to < historyOf(before).length, `${kind} edit ${from}..${to} is out of place`);
    expect(findOriginal(historyOf(before), ref) !== null, `the ref of the ${kind} edit ${from}..${to} leads nowhere`);
    same(`tokensBefore of edit ${from}..${to}`, tokensBefore, measure.messages(historyOf(before).slice(from, to + 1)));
    last = to;
  }
}

function keepsCachedPrefix({ before, after, compaction }: Done): void {
  const first = compaction.receipt.cache.earliestChangedIndex;
  if (first < 0) {
    expect(before === after, 'nothing is said to have changed, but another conversation came back');
    return;
  }
  for (let index = 0; index < first; index++)
    expect(before.messages[index] === after.messages[index], `message ${index} changed before index ${first}`);
  expect(before.messages[first] !== after.messages[first], `message ${first} did not change`);
}

function textIn(message: Message): string {
  const parts = message.parts.map((part) =>
    part.type === 'tool-call' ? part.arguments : part.type === 'tool-result' ? resultTextOf(part) : '',
  );
  return [textOf(message), ...parts].join('\n');
}

function plain(value: unknown): string {
  return JSON.stringify(value, (key, item: unknown) => (key === 'raw' || key === 'base' ? undefined : item));
}

function deepFreeze(value: unknown): void {
  const open: unknown[] = [value];
  for (let item = open.pop(); open.length > 0 || item !== undefined; item = open.pop()) {
    // Bytes cannot be frozen.
    if (typeof item !== 'object' || item === null || Object.isFrozen(item) || ArrayBuffer.isView(item)) continue;
    Object.freeze(item);
    open.push(...Object.values(item));
  }
}

function same(what: string, said: number, measured: number): void {
  expect(said === measured, `${what} is ${said}, measured ${measured}`);
}

function expect(holds: boolean, text: string): void {
  if (!holds) throw new Error(text);
}
