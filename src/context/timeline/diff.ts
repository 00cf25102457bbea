import { allText, type Message, toolCallsOf, toolResultsOf } from '../../core/conversation/message.ts';
import { prefixRefsOf, type Ref, refOfResult, refsIn } from '../../core/conversation/ref.ts';
import { PrecisError } from '../../core/errors.ts';
import type { FactKind } from '../../core/facts/fact.ts';
import { singleSpaced } from '../../core/language/spaces.ts';
import { isHandoff } from '../../core/record/handoff/handoff-message.ts';
import type { Measure } from '../../core/tokens/measure.ts';
import { ledgerOf } from '../../core/worth/judge-facts.ts';
import type { Timeline } from './timeline.ts';

/** One message that a compaction shortened or took out of the view. */
export interface DroppedMessage {
  /** Number in the history, counted from 1 as in a handoff. */
  readonly number: number;
  /** `system`, `user`, `assistant` or `tool`. */
  readonly role: string;
  /** Names of the tools it called or answers. */
  readonly tools: readonly string[];
  /** `condensed`: a shorter form replaces it. `folded`: the handoff replaces it. */
  readonly change: 'condensed' | 'folded';
  /** Its size in the view before, in tokens. */
  readonly tokensBefore: number;
  /** Its size in the view after, in tokens; 0 when it was folded. */
  readonly tokensAfter: number;
  /** How it begins, at most 120 characters on one line. */
  readonly start: string;
  /** Ref of the original, for `recall()` and `original()`. */
  readonly ref: Ref;
}

/** What a compaction removed from the view, and what it left in place. */
export interface ContextDiff {
  /** Id of the compaction. */
  readonly id: string;
  /** Size of the view before and after, in tokens. */
  readonly tokens: { readonly before: number; readonly after: number };
  /** Messages in the view before and after. */
  readonly messages: { readonly before: number; readonly after: number };
  /** Messages that are shorter or gone, oldest first. */
  readonly dropped: readonly DroppedMessage[];
  /** Facts that the view held literally before the compaction and no longer holds, by kind. */
  readonly facts: readonly { readonly kind: FactKind; readonly text: string; readonly critical: boolean }[];
  /** Text of the message that replaces everything folded; null when nothing was folded. */
  readonly handoff: string | null;
}

/** A compaction and the messages around it, at the time it was made. */
interface CompactedView {
  readonly id: string;
  readonly history: readonly Message[];
  /** Returns the form that a history message had when it entered the view. */
  readonly shownForm: (message: Message) => Message;
  readonly before: readonly Message[];
  readonly after: readonly Message[];
}

const START_CHARS = 120;

/** Shows what a compaction of a timeline dropped. @default the newest compaction */
export function diffIn(timeline: Timeline, measure: Measure, id: string | undefined): ContextDiff {
  const view = compactedView(timeline, id);
  const { before, after } = view;
  const handoff = after.find((message) => isHandoff(message) && !before.includes(message));
  return {
    id: view.id,
    tokens: { before: measure.messages(before), after: measure.messages(after) },
    messages: { before: before.length, after: after.length },
    dropped: droppedMessages(view, measure),
    facts: droppedFacts(view),
    handoff: handoff === undefined ? null : allText(handoff),
  };
}

function compactedView(timeline: Timeline, id: string | undefined): CompactedView {
  const view = id === undefined ? timeline.views.at(-1) : timeline.views.find((each) => each.id === id);
  if (view === undefined) {
    const ids = timeline.views.map((each) => each.id).join(', ') || 'none yet';
    throw new PrecisError(
      'bad-option',
      `Expected the id of a compaction (${ids})${id === undefined ? '' : `, got \`${id}\``}`,
    );
  }
  const rows = timeline.lineage.slice(0, view.covers).flatMap((row) => timeline.rows[row] ?? []);
  const shown = new Map(rows.map((row) => [row.message, row.shown]));
  const saidSince = timeline.lineage.length - view.covers;
  const atThatTime = (messages: readonly Message[]): readonly Message[] =>
    messages.slice(0, messages.length - saidSince);
  return {
    id: view.id,
    history: rows.map((row) => row.message),
    shownForm: (message) => shown.get(message) ?? message,
    before: atThatTime(timeline.viewOf(view.before)),
    after: atThatTime(timeline.viewOf(view.id)),
  };
}

function droppedMessages(view: CompactedView, measure: Measure): readonly DroppedMessage[] {
  const { history, shownForm } = view;
  const [before, after] = [new Set(view.before), new Set(view.after)];
  const toolNames = new Map(history.flatMap(toolCallsOf).map((call) => [call.callId, call.name]));
  const prefixRefs = prefixRefsOf(history);
  const condensed = view.after.filter((message) => !before.has(message) && !isHandoff(message));
  return history.flatMap((message, index): readonly DroppedMessage[] => {
    const shown = shownForm(message);
    if (after.has(shown) || after.has(message) || !(before.has(shown) || before.has(message))) return [];
    const shorter = condensed.find((each) => standsFor(each, message, prefixRefs[index] ?? ''));
    return [
      {
        number: index + 1,
        role: message.role,
        tools: toolsOf(message, toolNames),
        change: shorter === undefined ? 'folded' : 'condensed',
        tokensBefore: measure.message(shown),
        tokensAfter: shorter === undefined ? 0 : measure.message(shorter),
        start: singleSpaced(allText(message)).trim().slice(0, START_CHARS),
        ref: resultRef(message) ?? prefixRefs[index] ?? '',
      },
    ];
  });
}

function droppedFacts({ history, before, after }: CompactedView): ContextDiff['facts'] {
  const [textBefore, textAfter] = [textOfView(before), textOfView(after)];
  const isIn = (text: string, needles: readonly string[]): boolean =>
    needles.every((needle) => text.includes(singleSpaced(needle)));
  return ledgerOf(history)
    .facts.filter(
      ({ status, needles }) => status === 'current' && isIn(textBefore, needles) && !isIn(textAfter, needles),
    )
    .map(({ kind, text, critical }) => ({ kind, text, critical }));
}

function textOfView(view: readonly Message[]): string {
  return singleSpaced(view.map(allText).join('\n'));
}

/** Says whether a message is the condensed form of another: it has the same role and the same calls, or holds the ref of the other's words. */
function standsFor(shorter: Message, message: Message, ref: Ref): boolean {
  if (shorter.role !== message.role) return false;
  if (shorter.role === 'user' && refsIn(allText(shorter)).includes(ref)) return true;
  const ids = (each: Message): string =>
    [...toolCallsOf(each), ...toolResultsOf(each)].map((part) => part.callId).join(' ');
  return ids(shorter) !== '' && ids(shorter) === ids(message);
}

function toolsOf(message: Message, toolNames: ReadonlyMap<string, string>): readonly string[] {
  const results = toolResultsOf(message).flatMap((part) => toolNames.get(part.callId) ?? []);
  return [...toolCallsOf(message).map((call) => call.name), ...results];
}

function resultRef(message: Message): Ref | null {
  const [result] = toolResultsOf(message);
  return result === undefined ? null : refOfResult(result);
}

/** Writes a diff as text for people: the dropped messages, oldest first, with the refs that lead back to them. */
export function diffText(diff: ContextDiff): string {
  const { tokens, messages, dropped, facts } = diff;
  const lines = [
    `${diff.id}: ${messages.before} messages to ${messages.after}, ${tokens.before} tokens to ${tokens.after}`,
    '',
    ...dropped.map(
      ({ number, role, tools, change, tokensBefore, tokensAfter, start, ref }) =>
        `#${number} ${[role, ...tools].join(' ')} ${change}, ${tokensBefore} → ${tokensAfter} tokens ${ref}\n    ${start}`,
    ),
  ];
  if (facts.length > 0) {
    lines.push('', `No longer in the view word for word, but in the history (${facts.length}):`);
    for (const { kind, text, critical } of facts) lines.push(`  ${kind}${critical ? ' (critical)' : ''}: ${text}`);
  }
  return `${lines.join('\n')}\n`;
}
