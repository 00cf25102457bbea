import type { Message } from '../conversation/message.ts';
import { type Ref, refOfPrefix } from '../conversation/ref.ts';
import type { Step } from '../conversation/steps.ts';
import type { CompactPlan } from '../plan/plan.ts';
import type { ZonedStep } from '../plan/zones.ts';
import { earlierRefs } from '../record/handoff/handoff-message.ts';
import { sectionsFor } from '../record/handoff/sections.ts';
import { type CondensedCall, condenseMessage } from '../reduce/condense.ts';
import { stripBoundReasoning } from '../reduce/reasoning.ts';
import { retellStep } from '../reduce/retell.ts';
import { renderHandoff } from './render-handoff.ts';

/** A view made from a plan. */
export interface AssembledView {
  readonly messages: readonly Message[];
  readonly handoff: Message | null;
  /** Ref of everything that was said up to the last folded message. */
  readonly handoffRef: Ref;
  /** Condensed and trimmed messages, by index of their original in the history. */
  readonly condensed: ReadonlyMap<number, Message>;
}

/** Builds views from one plan with more or fewer passages. Condensed messages that do not change are built once. */
export function createAssembler(plan: CompactPlan): (passages: number) => AssembledView {
  const { situation, layout } = plan;
  const { history, steps, record, weighed } = situation;
  const lastFolded = steps.findLastIndex((_, index) => layout.modes[index] === 'fold');
  const foldedTo = steps[lastFolded]?.to ?? 0;
  const through = record.numbers[foldedTo - 1] ?? 0;
  const userTurns = record.entries.filter(
    (entry) => entry.type === 'said' && entry.passages.some((passage) => passage.voice === 'user'),
  );
  const lastUser = userTurns.at(-1)?.number ?? 0;
  const landmarks = { task: userTurns[0]?.number ?? 0, lastUser };
  const frame = {
    through,
    ref: refOfPrefix(history, foldedTo),
    earlier: earlierRefs(history),
    asked: lastUser < through && isKept(plan, lastUser) ? lastUser : null,
    root: record.root,
    brief: layout.brief,
  };
  const stepAt = stepOfMessages(steps);
  const memo = new Map<string, Message>();

  return (passages) => {
    const chosen = layout.chosen.slice(0, passages);
    const scene = { plan, stepAt, kept: keptByEntry(plan, chosen) };
    const handoffText =
      foldedTo === 0
        ? null
        : renderHandoff({
            weighed,
            chosen: chosen.filter((at) => isFolded(plan, at)),
            frame,
            landmarks,
            sections: sectionsFor(plan.template),
          });
    const handoff: Message | null =
      handoffText === null ? null : { role: 'user', parts: [{ type: 'text', text: handoffText }] };
    const head: Message[] = [];
    const rest: Message[] = [];
    const condensed = new Map<number, Message>();
    for (const [index, step] of steps.entries()) {
      if (layout.modes[index] === 'fold') continue;
      const into = step.zone === 'head' && handoff !== null ? head : rest;
      for (const [at, message, isNew] of formOfStep(scene, index, memo)) {
        if (isNew) condensed.set(at, message);
        if (into.at(-1) !== message) into.push(message);
      }
    }
    const messages = handoff === null ? rest : withHandoff(head, handoff, rest);
    const firstChanged = messages.findIndex((message, index) => message !== plan.sent[index]);
    return { messages: stripBoundReasoning(messages, firstChanged), handoff, handoffRef: frame.ref, condensed };
  };
}

/** A message of a step in the form that the view shows, with its place in the history. Several places of a retold step share one message. */
type Form = readonly [at: number, message: Message, isNew: boolean];

function formOfStep(scene: Scene, index: number, memo: Map<string, Message>): readonly Form[] {
  const { situation, layout, shown } = scene.plan;
  const { history, trimChars } = situation;
  const step = situation.steps[index] as ZonedStep;
  const mode = layout.modes[index];
  const places = Array.from({ length: step.to - step.from }, (_, offset) => step.from + offset);
  if (mode === 'retell') {
    const told = { step: history.slice(step.from, step.to), asked: step.request, chars: trimChars };
    const retold = once(memo, 'retold', () => retellStep(told));
    return places.map((at) => [at, retold, true]);
  }
  const { words } = step;
  const shortest = mode === 'trim' && words !== null ? words.show(keptWords(scene, words.at)) : null;
  if (words !== null && shortest !== null && places.length === 1)
    return [[words.at, shortest, shortest !== history[words.at]]];
  const calls = mode === 'keep' || mode === undefined ? null : callsOf(scene, step, mode === 'trim');
  return places.map((at): Form => {
    const message = history[at] as Message;
    if (calls === null) return [at, shown.get(message) ?? message, false];
    if (words?.at === at && shortest !== null) return [at, condenseMessage(shortest, calls), true];
    const key = `${at} ${[...calls.values()].map((call) => call.kept.join()).join(';')}`;
    const short = once(memo, key, () => condenseMessage(message, calls));
    return [at, short, short !== message];
  });
}

/** The handoff follows the task. No conversation may begin with the assistant: if the head does, the handoff follows the system messages. */
function withHandoff(head: readonly Message[], handoff: Message, rest: readonly Message[]): readonly Message[] {
  const said = head.findIndex((message) => message.role !== 'system');
  const at = said >= 0 && head[said]?.role !== 'user' ? said : head.length;
  return [...head.slice(0, at), handoff, ...head.slice(at), ...rest];
}

/** True for a message that stands behind the handoff, whole or shorter. */
function isKept({ situation, layout }: CompactPlan, number: number): boolean {
  const { steps, record } = situation;
  const at = steps.findIndex(({ from, to }) => record.numbers.slice(from, to).includes(number));
  const step = steps[at];
  return step !== undefined && step.zone !== 'head' && layout.modes[at] !== 'fold';
}

function once(memo: Map<string, Message>, key: string, make: () => Message): Message {
  const known = memo.get(key) ?? make();
  memo.set(key, known);
  return known;
}

function isFolded({ situation, layout }: CompactPlan, at: number): boolean {
  const entry = situation.weighed.passages[at]?.entry ?? -1;
  const step = situation.stepOfEntry[entry] ?? -1;
  return step < 0 || layout.modes[step] === 'fold';
}

/** Chosen passages of condensed calls, by entry. */
function keptByEntry(plan: CompactPlan, chosen: readonly number[]): ReadonlyMap<number, readonly number[]> {
  const kept = new Map<number, number[]>();
  for (const at of chosen) {
    const passage = plan.situation.weighed.passages[at];
    if (passage === undefined || passage.index < 0 || isFolded(plan, at)) continue;
    const indexes = kept.get(passage.entry) ?? [];
    indexes.push(passage.index);
    kept.set(passage.entry, indexes);
  }
  return kept;
}

interface Scene {
  readonly plan: CompactPlan;
  readonly stepAt: readonly number[];
  /** Passages to keep, by entry. */
  readonly kept: ReadonlyMap<number, readonly number[]>;
}

/** Chosen passages of a trimmed message, in the order they were said. */
function keptWords({ plan, kept }: Scene, at: number): readonly string[] {
  const { wordEntries, weighed } = plan.situation;
  return (wordEntries.get(at) ?? []).flatMap((entry) =>
    (kept.get(entry) ?? [])
      .toSorted((left, right) => left - right)
      .flatMap((index) => weighed.entries[entry]?.passages[index]?.text ?? []),
  );
}

/** Details of a step's calls, by call id. */
function callsOf(scene: Scene, step: Step, trims: boolean): ReadonlyMap<string, CondensedCall> {
  const { callEntries, weighed, trimChars } = scene.plan.situation;
  const calls = new Map<string, CondensedCall>();
  for (const entryIndex of callEntries.get(step.from) ?? []) {
    const entry = weighed.entries[entryIndex];
    if (entry?.type !== 'did' || entry.action === null) continue;
    calls.set(entry.action.callId, {
      entry,
      kept: scene.kept.get(entryIndex) ?? [],
      keeper: keeperOf(scene, entry.action.callId, step),
      trimChars: trims ? trimChars : null,
    });
  }
  return calls;
}

/** A pointer may only point at something that is in the view as it was. */
function keeperOf({ plan, stepAt }: Scene, callId: string, step: Step): number | null {
  const { redundant, history, record } = plan.situation;
  for (let at = step.from; at < step.to; at++) {
    const redundancy = redundant.get(at);
    const holds = history[at]?.parts.some((part) => part.type === 'tool-result' && part.callId === callId) ?? false;
    if (redundancy?.type !== 'exact' || !holds) continue;
    if (plan.layout.modes[stepAt[redundancy.keeper] ?? -1] === 'keep') return record.numbers[redundancy.keeper] ?? null;
  }
  return null;
}

/** Index of the step that each message belongs to. */
function stepOfMessages(steps: readonly Step[]): readonly number[] {
  return steps.flatMap((step, index) => Array.from({ length: step.to - step.from }, () => index));
}
