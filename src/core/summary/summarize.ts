import type { Message } from '../conversation/message.ts';
import { allText } from '../conversation/message.ts';
import { PrecisError } from '../errors.ts';
import type { Fact } from '../facts/fact.ts';
import { foldedThrough } from '../facts/history-record.ts';
import { singleSpaced } from '../language/spaces.ts';
import { type AlignedModel, alignedSummarizer, type ModelCall, type Summarizer } from '../model.ts';
import type { CompactPlan } from '../plan/plan.ts';
import type { Entry } from '../record/entry.ts';
import { askedSections, orderedSections, sectionsFor } from '../record/handoff-sections.ts';
import { summedEntry } from '../record/read-handoff.ts';
import type { Measure } from '../tokens/measure.ts';
import { isAlignedCheaper } from './aligned.ts';
import { type AppliedView, bestWith } from './compete.ts';
import { PROMPT_VERSION } from './prompt.ts';
import { type WriteInput, type Written, writeSummary } from './write.ts';

export interface SummarizeInput {
  /** A plan that folds, and the view that code alone makes of it. */
  readonly plan: CompactPlan;
  readonly extractive: AppliedView;
  readonly view: readonly Message[];
  readonly window: number;
  /** Null when there is no model now, but an earlier one left lines in the handoff. */
  readonly summarizer: Summarizer | null;
  /** The conversation's own model, asked instead when that is cheaper. */
  readonly aligned: AlignedModel | null;
  readonly focus: string | null;
  readonly maxCalls: number;
  readonly measure: Measure;
  readonly signal?: AbortSignal;
  readonly onText?: (characters: number) => void;
}

/** The better of two views, and what the model had to do with it. */
export interface Summarized {
  readonly plan: CompactPlan;
  readonly applied: AppliedView;
  /** `model`: its lines are in the view and say all that is critical. `repaired`: code added what they did not say. `fell-back`: none could be used. */
  readonly outcome: 'model' | 'repaired' | 'fell-back';
  /** False when no model was asked now and only lines of an earlier one were at stake. */
  readonly asked: boolean;
  readonly model: string | null;
  readonly calls: readonly ModelCall[];
  readonly validation: Readonly<Record<string, unknown>>;
}

/** Lines of a model take at most this share of what a handoff may hold. */
const SUMMARY_SHARE = 0.5;

/**
 * Asks a model for a summary of what is folded and lets its lines compete with quotes for the same room. A model can only add: what it
 * forgets is quoted, what it invents is removed, and when the view would hold less of the ledger than without it, the view without it stays.
 */
export async function summarize(input: SummarizeInput): Promise<Summarized> {
  const { plan, extractive } = input;
  const asked = input.summarizer !== null || input.aligned !== null;
  const zone = foldedEntries(plan);
  const written = asked ? await write(input, zone) : NOTHING_WRITTEN;
  if (input.signal?.aborted === true)
    throw new PrecisError('aborted', 'The compaction was aborted while the model was writing');
  const fresh = written.lines.map((line) => summedEntry(line.text, line.section, 1));
  // A model that fails does not take the lines of the pass before with it.
  const lines = fresh.length > 0 ? fresh : plan.summaries;
  const best = lines.length === 0 ? null : bestWith(input, lines);
  const used =
    best === null ? null : { trust: best.trust, added: addedByCode(plan, zone, lines), lines: linesIn(best.applied) };
  const outcome = fresh.length === 0 || used === null ? 'fell-back' : used.added > 0 ? 'repaired' : 'model';
  return {
    plan: best?.plan ?? plan,
    applied: best?.applied ?? extractive,
    outcome,
    asked,
    ...reportOf(written, used),
  };
}

/** How many lines of a model stand in the handoff. */
function linesIn({ view }: AppliedView): number {
  return view.handoff === null ? 0 : allText(view.handoff).split('\n* ').length - 1;
}

/** How many critical facts of the zone the lines do not say. */
function addedByCode({ record }: CompactPlan, zone: readonly Entry[], lines: readonly Entry[]): number {
  const said = singleSpaced(lines.map((line) => line.passages[0]?.text ?? '').join('\n'));
  const critical = criticalIn(zone, record.ledger.facts);
  return critical.filter((fact) => !fact.needles.every((needle) => said.includes(singleSpaced(needle)))).length;
}

const NOTHING_WRITTEN: Written = {
  lines: [],
  calls: [],
  model: null,
  rejected: {},
  removed: {},
  omitted: 0,
  failures: [],
};

function write(input: SummarizeInput, zone: readonly Entry[]): Promise<Written> {
  const { plan, measure, summarizer } = input;
  const through = foldedThrough(input.view);
  const fresh = zone.filter((entry) => entry.number > through);
  const facts = plan.record.ledger.facts;
  const foldedTokens = tokensSince(plan, through);
  const room = plan.layout.room * SUMMARY_SHARE;
  const wanted = Math.max(2_000, Math.min(foldedTokens * 0.2, input.window * 0.05, 10_000));
  const tokens = Math.floor(Math.min(wanted, Math.max(400, room)));
  return writeSummary({
    entries: fresh,
    grounds: plan.record.entries,
    constraints: facts.filter((fact) => fact.kind === 'constraint' && fact.status === 'current'),
    previous: previousText(plan.summaries, plan.template),
    facts: criticalIn(fresh, facts),
    stale: stalePairs(facts),
    focus: input.focus,
    tokens,
    summarizer,
    aligned: alignedFor(input, { transcript: foldedTokens, answer: tokens }),
    maxCalls: input.maxCalls,
    count: (text) => measure.text(text),
    sections: askedSections(plan.template),
    ...(input.signal === undefined ? {} : { signal: input.signal }),
    ...(input.onText === undefined ? {} : { onText: input.onText }),
  });
}

/** The conversation's own model as a summariser, when asking it costs less. */
function alignedFor(
  { aligned, summarizer, view, measure }: SummarizeInput,
  tokens: { readonly transcript: number; readonly answer: number },
): WriteInput['aligned'] {
  if (aligned === null) return null;
  const viewTokens = measure.messages(view);
  if (!isAlignedCheaper(aligned, summarizer, { ...tokens, view: viewTokens })) return null;
  return { summarizer: alignedSummarizer(aligned), viewTokens, view: view.map(allText).join('\n') };
}

function foldedEntries({ record, stepOfEntry, layout }: CompactPlan): readonly Entry[] {
  return record.entries.filter((_, index) => layout.modes[stepOfEntry[index] ?? -1] === 'fold');
}

/** Tokens of the folded steps that no handoff stands for yet. */
function tokensSince({ record, steps, stepOfEntry, layout }: CompactPlan, through: number): number {
  const fresh = new Set(record.entries.flatMap(({ number }, at) => (number > through ? [stepOfEntry[at] ?? -1] : [])));
  return steps.reduce((sum, { tokens }, at) => (layout.modes[at] === 'fold' && fresh.has(at) ? sum + tokens : sum), 0);
}

/** The lines of the handoff so far, under their headings, as the model is asked to write them. */
function previousText(summed: readonly Entry[], template: readonly string[]): string {
  const sections = orderedSections(
    summed.map((entry) => entry.section ?? 'done'),
    sectionsFor(template),
  );
  return sections
    .flatMap(({ id, title }) => {
      const lines = summed.filter((entry) => (entry.section ?? 'done') === id);
      return lines.length === 0 ? [] : [title, ...lines.map((entry) => `- ${entry.passages[0]?.text ?? ''}`)];
    })
    .join('\n');
}

function criticalIn(zone: readonly Entry[], facts: readonly Fact[]): readonly Fact[] {
  const numbers = new Set(zone.map((entry) => entry.number));
  return facts.filter((fact) => fact.critical && numbers.has(fact.source.message));
}

function stalePairs(facts: readonly Fact[]): readonly { readonly fact: Fact; readonly now: Fact }[] {
  const current = new Map(
    facts.filter((fact) => fact.status === 'current').map((fact) => [`${fact.kind} ${fact.key}`, fact]),
  );
  return facts.flatMap((fact) => {
    const now = fact.status === 'stale' ? current.get(`${fact.kind} ${fact.key}`) : undefined;
    return now === undefined ? [] : [{ fact, now }];
  });
}

function reportOf(
  written: Written,
  used: { readonly trust: number; readonly added: number; readonly lines: number } | null,
): Pick<Summarized, 'model' | 'calls' | 'validation'> {
  return {
    model: written.model,
    calls: written.calls,
    validation: {
      promptVersion: PROMPT_VERSION,
      lines: written.lines.length,
      rejected: written.rejected,
      removed: written.removed,
      entriesNotRead: written.omitted,
      ...(written.failures.length === 0 ? {} : { failures: written.failures }),
      ...(used === null ? {} : { linesUsed: used.lines, trust: used.trust, factsAddedByCode: used.added }),
    },
  };
}
