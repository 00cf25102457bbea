import { type Conversation, historyOf } from '../core/conversation/conversation.ts';
import { allText, type Message, resultTextOf, textOf, toolResultsOf } from '../core/conversation/message.ts';
import { findOriginal, type Ref, refsIn } from '../core/conversation/ref.ts';
import { splitSteps } from '../core/conversation/steps.ts';
import { lastUserIndex } from '../core/conversation/turns.ts';
import type { Format } from '../core/format.ts';
import type { Receipt } from '../core/receipt/receipt.ts';
import { isHandoff } from '../core/record/handoff/handoff-message.ts';
import { heuristicCounter, type TokenCounter } from '../core/tokens/counter.ts';
import { createMeasure, type Measure } from '../core/tokens/measure.ts';
import { type AsyncLaw, must, withoutWire } from './law.ts';

/** The part of a compaction's result that the laws check. */
export interface CompactionLike {
  /** The view; the same object as the input when nothing changed. */
  readonly conversation: Conversation;
  /** How the compaction ended. */
  readonly outcome: Receipt['outcome'];
  /** Reason of a refusal; null for every other outcome. */
  readonly refusal: string | null;
  /** The numbers and edits that the laws measure again. */
  readonly receipt: Receipt;
}

/** `compact` of this package, or any function with the same promises. */
export type CompactLike = (
  conversation: Conversation,
  format: Format,
  options: { readonly target: number; readonly counter: TokenCounter },
) => Promise<CompactionLike>;

/** A conversation and a target that the laws run on. */
export interface CompactionCase {
  /** Sound in its format. The laws freeze it, so that changing it throws. */
  readonly conversation: Conversation;
  /** The format of the conversation. */
  readonly format: Format;
  /** Tokens the view must not exceed. */
  readonly target: number;
  /** Counts tokens for the compaction and for the laws. @default heuristicCounter */
  readonly counter?: TokenCounter;
}

/**
 * Everything that a compaction owes its caller, checked on one conversation and target.
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
  // One compaction serves all laws.
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
    law(
      'the system prompt is untouched, calls in flight are still there, and the last user message is whole or shorter',
      keepsProtected,
    ),
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
  must(issue === undefined, `message ${issue?.message} breaks ${issue?.rule}: ${issue?.text}`);
}

/** Tokens of the whole request: the messages, and the tools around them. */
function requestTokens(conversation: Conversation, { format, measure }: Done): number {
  return measure.conversation(conversation) + measure.text(format.surroundings(conversation).tools);
}

function holdsTarget(done: Done): void {
  const { before, after, compaction, target, format } = done;
  const tokens = requestTokens(after, done);
  const { outcome, refusal } = compaction;
  if (outcome === 'unchanged' || outcome === 'refused')
    must(after === before, `${outcome}, but another conversation came back`);
  else must(after !== before, `${outcome}, but the same conversation came back`);
  must((outcome === 'refused') === (refusal !== null), `outcome ${outcome} with refusal ${refusal}`);
  // Nobody may cut a request whose history is on a server.
  if (format.surroundings(before).server !== null) return;
  must(outcome === 'refused' || tokens <= target, `${outcome}: ${tokens} tokens are more than ${target}`);
  must(
    outcome !== 'refused' || requestTokens(before, done) > target,
    'refused although the conversation fits the target',
  );
}

function isNotLarger({ before, after, measure }: Done): void {
  const [from, to] = [measure.conversation(before), measure.conversation(after)];
  must(to <= from, `${from} tokens became ${to}`);
}

function keepsProtected({ before, after }: Done): void {
  const kept = new Set(after.messages);
  for (const { message, why, isForm } of protectedMessages(before))
    must(
      kept.has(message) || after.messages.some(isForm),
      `${why} (message ${before.messages.indexOf(message)}) is gone or another object`,
    );
}

/** True for a message of the same speaker with the same words or fewer, and then with a ref that leads to the whole. */
function isShorterForm(shorter: Message, message: Message, before: Conversation): boolean {
  if (shorter.role !== message.role) return false;
  const texts = message.parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  if (texts.length > 0 && texts.every((text) => textOf(shorter).includes(text))) return true;
  if (texts.length === 0 && toolResultsOf(message).length > 0) return hasSameCalls(shorter, message);
  return refsIn(allText(shorter)).some((ref) => {
    const found = findOriginal(historyOf(before), ref);
    return found?.type === 'messages' && found.messages.at(-1) === message;
  });
}

interface Protected {
  readonly message: Message;
  readonly why: string;
  /** True for a message of the view that stands for it. */
  readonly isForm: (other: Message) => boolean;
}

const NOBODY: Message = { role: 'tool', parts: [] };

function protectedMessages(before: Conversation): readonly Protected[] {
  const { messages } = before;
  const firstSaid = messages.findIndex(({ role }) => role !== 'system');
  const found: Protected[] = messages
    .slice(0, firstSaid < 0 ? messages.length : firstSaid)
    .map((message) => ({ message, why: 'a message of the system prompt', isForm: () => false }));
  // An earlier handoff has the user's role, but no user wrote it.
  const said = messages.map((message) => (isHandoff(message) ? NOBODY : message));
  const lastUser = messages[lastUserIndex(said)];
  if (lastUser !== undefined)
    found.push({
      message: lastUser,
      why: 'the last user message',
      isForm: (other) => isShorterForm(other, lastUser, before),
    });
  for (const step of splitSteps(messages))
    for (const message of step.inFlight.length === 0 ? [] : messages.slice(step.from, step.to))
      found.push({ message, why: 'a call in flight', isForm: (other) => hasSameCalls(other, message) });
  return found;
}

/** True for messages that hold the same calls and results, whatever is left of them. */
function hasSameCalls(one: Message, other: Message): boolean {
  const idsOf = (message: Message): string =>
    message.parts
      .flatMap((part) => (part.type === 'tool-call' || part.type === 'tool-result' ? [part.callId] : []))
      .join(' ');
  return one.role === other.role && idsOf(one) === idsOf(other);
}

function keepsOrder({ before, after }: Done): void {
  const indexOf = new Map(historyOf(before).map((message, index) => [message, index]));
  let last = -1;
  for (const message of after.messages) {
    const index = indexOf.get(message);
    if (index === undefined) continue;
    must(index > last, `message ${index} of the history stands behind message ${last}`);
    last = index;
  }
}

function keepsHistory({ before, after }: Done): void {
  const [said, kept] = [historyOf(before), historyOf(after)];
  must(
    said.length === kept.length && said.every((message, index) => message === kept[index]),
    'the history is another one',
  );
}

async function isIdempotent(compact: CompactLike, { after, compaction, format, target, measure }: Done): Promise<void> {
  const again = await compact(after, format, { target, counter: measure.counter });
  const expected = compaction.outcome === 'refused' ? 'refused' : 'unchanged';
  must(again.outcome === expected, `the second time gave ${again.outcome}, expected ${expected}`);
  must(again.conversation === after, 'the second time gave another conversation');
}

/** Refs that the conversation itself holds are quotes; only refs that the compaction wrote are promises. */
function refsSaid(conversation: Conversation): ReadonlySet<Ref> {
  const messages = [...historyOf(conversation), ...conversation.messages];
  return new Set(messages.flatMap((message) => refsIn(allText(message))));
}

function refsResolve({ before, after }: Done): void {
  const history = historyOf(before);
  const quoted = refsSaid(before);
  const written = new Set(after.messages.flatMap((message) => refsIn(allText(message))));
  for (const ref of written) must(quoted.has(ref) || findOriginal(history, ref) !== null, `${ref} leads nowhere`);
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
      must(
        found?.type === 'result' && withoutWire(found.part.content) === withoutWire(source.content),
        `${ref} in the result of \`${part.callId}\` leads to something else`,
      );
    }
  }
}

function losesNoFact({ compaction }: Done): void {
  const { critical, kept, recoverable, lost } = compaction.receipt.facts;
  must(lost === 0, `${lost} of ${critical} critical facts are lost`);
  must(kept + recoverable + lost === critical, `${kept} + ${recoverable} + ${lost} is not ${critical}`);
}

function receiptAgrees(done: Done): void {
  const { before, after, compaction, target, measure } = done;
  const { tokens, messages, cache, edits, outcome } = compaction.receipt;
  must(outcome === compaction.outcome, `outcome ${outcome} is not ${compaction.outcome}`);
  mustMeasure('tokens.before', tokens.before, requestTokens(before, done));
  mustMeasure('tokens.after', tokens.after, requestTokens(after, done));
  mustMeasure('tokens.target', tokens.target, target);
  mustMeasure('messages.before', messages.before, before.messages.length);
  mustMeasure('messages.after', messages.after, after.messages.length);
  const first = cache.earliestChangedIndex;
  mustMeasure(
    'cache.invalidatedTokens',
    cache.invalidatedTokens,
    first < 0 ? 0 : measure.messages(before.messages.slice(first)),
  );
  must(edits.length > 0 === (after !== before), `${edits.length} edits, outcome ${outcome}`);
  let last = -1;
  for (const { kind, from, to, ref, tokensBefore } of edits) {
    must(from > last && to >= from && to < historyOf(before).length, `${kind} edit ${from}..${to} is out of place`);
    must(findOriginal(historyOf(before), ref) !== null, `the ref of the ${kind} edit ${from}..${to} leads nowhere`);
    mustMeasure(
      `tokensBefore of edit ${from}..${to}`,
      tokensBefore,
      measure.messages(historyOf(before).slice(from, to + 1)),
    );
    last = to;
  }
}

function keepsCachedPrefix({ before, after, compaction }: Done): void {
  const first = compaction.receipt.cache.earliestChangedIndex;
  if (first < 0) {
    must(before === after, 'nothing is said to have changed, but another conversation came back');
    return;
  }
  for (let index = 0; index < first; index++)
    must(before.messages[index] === after.messages[index], `message ${index} changed before index ${first}`);
  must(before.messages[first] !== after.messages[first], `message ${first} did not change`);
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

function mustMeasure(what: string, said: number, measured: number): void {
  must(said === measured, `${what} is ${said}, measured ${measured}`);
}
