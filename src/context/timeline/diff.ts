import { allText, type Message, toolCallsOf, toolResultsOf } from '../../core/conversation/message.ts';
import { prefixRefsOf, type Ref, refOfResult } from '../../core/conversation/ref.ts';
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
  readonly role: string;
  /** Tools it called or answers. */
  readonly tools: readonly string[];
  readonly change: 'condensed' | 'folded';
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** How it begins. */
  readonly start: string;
  readonly ref: Ref;
}

/** What a compaction took out of the view, and what of it still stands there. */
export interface ContextDiff {
  readonly id: string;
  readonly tokens: { readonly before: number; readonly after: number };
  readonly messages: { readonly before: number; readonly after: number };
  readonly dropped: readonly DroppedMessage[];
  /** Facts that were literally in the view before and are not any more, by kind. */
  readonly facts: readonly { readonly kind: FactKind; readonly text: string; readonly critical: boolean }[];
  /** The message that stands for what was folded; null when nothing was. */
  readonly handoff: string | null;
}

export interface DiffInput {
  readonly id: string;
  readonly history: readonly Message[];
  readonly shown: (message: Message) => Message;
  readonly before: readonly Message[];
  readonly after: readonly Message[];
  readonly measure: Measure;
}

const START_CHARS = 120;

export function diffOf({ id, history, shown, before, after, measure }: DiffInput): ContextDiff {
  const stays = new Set(after);
  const was = new Set(before);
  const names = new Map(history.flatMap(toolCallsOf).map((call) => [call.callId, call.name]));
  const prefixRefs = prefixRefsOf(history);
  const condensed = after.filter((message) => !was.has(message) && !isHandoff(message));
  const dropped = history.flatMap((message, index): readonly DroppedMessage[] => {
    const form = shown(message);
    if (stays.has(form) || stays.has(message) || !(was.has(form) || was.has(message))) return [];
    const left = condensed.find((each) => standsFor(each, message));
    return [
      {
        number: index + 1,
        role: message.role,
        tools: toolsOf(message, names),
        change: left === undefined ? 'folded' : 'condensed',
        tokensBefore: measure.message(form),
        tokensAfter: left === undefined ? 0 : measure.message(left),
        start: singleSpaced(allText(message)).trim().slice(0, START_CHARS),
        ref: resultRef(message) ?? prefixRefs[index] ?? '',
      },
    ];
  });
  const [textBefore, textAfter] = [before, after].map((view) => singleSpaced(view.map(allText).join('\n')));
  const says = (text: string | undefined, needles: readonly string[]): boolean =>
    needles.every((needle) => text?.includes(singleSpaced(needle)) === true);
  const facts = ledgerOf(history)
    .facts.filter(
      ({ needles, status }) => status === 'current' && says(textBefore, needles) && !says(textAfter, needles),
    )
    .map(({ kind, text, critical }) => ({ kind, text, critical }));
  const handoff = after.find((message) => isHandoff(message) && !was.has(message));
  return {
    id,
    tokens: { before: measure.messages(before), after: measure.messages(after) },
    messages: { before: before.length, after: after.length },
    dropped,
    facts,
    handoff: handoff === undefined ? null : allText(handoff),
  };
}

/** What a compaction of a timeline dropped, the newest unless another is named. */
export function diffIn(timeline: Timeline, id: string | undefined, measure: Measure): ContextDiff {
  const view = id === undefined ? timeline.views.at(-1) : timeline.views.find((each) => each.id === id);
  if (view === undefined) {
    const known = timeline.views.map((each) => each.id).join(', ') || 'none yet';
    throw new PrecisError(
      'bad-option',
      `Expected the id of a compaction (${known})${id === undefined ? '' : `, got \`${id}\``}`,
    );
  }
  const rows = timeline.lineage.slice(0, view.covers).flatMap((row) => timeline.rows[row] ?? []);
  const shown = new Map(rows.map((row) => [row.message, row.shown]));
  const grown = timeline.lineage.length - view.covers;
  const atThatTime = (messages: readonly Message[]): readonly Message[] => messages.slice(0, messages.length - grown);
  return diffOf({
    id: view.id,
    history: rows.map((row) => row.message),
    shown: (message) => shown.get(message) ?? message,
    before: atThatTime(timeline.viewOf(view.before)),
    after: atThatTime(timeline.viewOf(view.id)),
    measure,
  });
}

/** A condensed message has the same role and speaks of the same calls. */
function standsFor(short: Message, message: Message): boolean {
  if (short.role !== message.role) return false;
  const ids = (each: Message): string =>
    [...toolCallsOf(each), ...toolResultsOf(each)].map((part) => part.callId).join(' ');
  return ids(short) !== '' && ids(short) === ids(message);
}

function toolsOf(message: Message, names: ReadonlyMap<string, string>): readonly string[] {
  const results = toolResultsOf(message).flatMap((part) => names.get(part.callId) ?? []);
  return [...toolCallsOf(message).map((call) => call.name), ...results];
}

function resultRef(message: Message): Ref | null {
  const [result] = toolResultsOf(message);
  return result === undefined ? null : refOfResult(result);
}

/** The same for people: what went, oldest first, and how to get it back. */
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
