import { allText, type Message } from '../conversation/message.ts';
import { PrecisError } from '../errors.ts';
import type { Fact } from '../facts/fact.ts';
import { singleSpaced } from '../language/spaces.ts';
import { type AlignedModel, alignedSummarizer, type ModelCall, type Summarizer } from '../model.ts';
import type { CompactPlan } from '../plan/plan.ts';
import { type Entry, lineOf, type SummedEntry } from '../record/entry.ts';
import { foldedThrough } from '../record/handoff/handoff-message.ts';
import { summedEntry } from '../record/handoff/read-handoff.ts';
import { askedSections, orderedSections, sectionsFor } from '../record/handoff/sections.ts';
import type { Measure } from '../tokens/measure.ts';
import type { FittedView } from '../view/fit.ts';
import { isAlignedCheaper } from './aligned.ts';
import { competeWithQuotes } from './compete.ts';
import { lengthFor } from './length.ts';
import { PROMPT_VERSION } from './prompt.ts';
import { withSoundModels } from './sound-models.ts';
import { NOTHING_WRITTEN, type WriteInput, type Written, writeSummary } from './write.ts';

export interface SummarizeInput {
  /** A plan that folds, and the view that code alone makes of it. */
  readonly plan: CompactPlan;
  readonly byCode: FittedView;
  /** The view as it was sent last. */
  readonly view: readonly Message[];
  /** Critical facts that the view by code alone does not say. */
  readonly missing: readonly Fact[];
  /** Null when there is only an aligned model, or only the lines that an earlier model left in the handoff. */
  readonly summarizer: Summarizer | null;
  /** The conversation's own model, asked instead when that is cheaper. */
  readonly aligned: AlignedModel | null;
  readonly focus: string | null;
  readonly maxCalls: number;
  readonly measure: Measure;
  readonly signal?: AbortSignal;
  readonly onText?: (characters: number) => void;
}

/** The better of two views, and the model's part in it. */
export interface Summarized {
  readonly plan: CompactPlan;
  readonly fitted: FittedView;
  /** `folded`: its lines are in the view and say every critical fact. `repaired`: code added facts that they did not say. `fell-back`: none could be used. */
  readonly outcome: 'folded' | 'repaired' | 'fell-back';
  /** False when no model was asked, and only lines of an earlier one competed. */
  readonly asked: boolean;
  readonly model: string | null;
  readonly calls: readonly ModelCall[];
  readonly validation: Readonly<Record<string, unknown>>;
}

/**
 * Asks a model for a summary of what is folded and lets its lines compete with quotes for the same room. A model can only add: code quotes the
 * facts it forgets and removes the lines it invents. If the lines would cost too much of the ledger, the view without them stays.
 */
export async function summarize(input: SummarizeInput): Promise<Summarized> {
  const { plan, byCode, measure } = input;
  const asked = input.summarizer !== null || input.aligned !== null;
  const folded = foldedEntries(plan);
  const written = asked ? await writeSummary(writeInput(input, folded)) : NOTHING_WRITTEN;
  if (input.signal?.aborted === true)
    throw new PrecisError('aborted', 'The compaction was aborted while the model was writing');
  const fresh = written.lines.map((line) => summedEntry(line.text, line.section));
  // When a model fails, the lines of the pass before still compete.
  const lines = fresh.length > 0 ? fresh : plan.summaryLines;
  const best = lines.length === 0 ? null : competeWithQuotes({ plan, byCode, measure }, lines);
  const added = addedByCode(plan, folded, lines);
  const outcome = fresh.length === 0 || best === null ? 'fell-back' : added > 0 ? 'repaired' : 'folded';
  const used = best === null ? null : { trust: best.trust, added, lines: linesIn(best.fitted) };
  return {
    plan: best?.plan ?? plan,
    fitted: best?.fitted ?? byCode,
    outcome,
    asked,
    model: written.model,
    calls: written.calls,
    validation: validationOf(written, used),
  };
}

/** How many summary lines are in the handoff. */
function linesIn({ view }: FittedView): number {
  return view.handoff === null ? 0 : allText(view.handoff).split('\n* ').length - 1;
}

/** How many critical facts of the folded entries the lines do not say. */
function addedByCode({ situation }: CompactPlan, folded: readonly Entry[], lines: readonly SummedEntry[]): number {
  const said = singleSpaced(lines.map(lineOf).join('\n'));
  const critical = criticalIn(folded, situation.ledger.facts);
  return critical.filter((fact) => !fact.needles.every((needle) => said.includes(singleSpaced(needle)))).length;
}

function writeInput(input: SummarizeInput, folded: readonly Entry[]): WriteInput {
  const { plan, measure } = input;
  const { record, ledger } = plan.situation;
  const through = foldedThrough(input.view);
  const fresh = folded.filter((entry) => entry.number > through);
  const foldedTokens = tokensSince(plan, through);
  const previous = previousText(plan.summaryLines, plan.template);
  const tokens = lengthFor({ room: plan.layout.room, folded: foldedTokens, previous: measure.text(previous) });
  return {
    entries: fresh,
    grounds: record.entries,
    constraints: ledger.facts.filter((fact) => fact.kind === 'constraint' && fact.status === 'current'),
    previous,
    facts: criticalIn(fresh, input.missing),
    stale: stalePairs(ledger.facts),
    focus: input.focus,
    tokens,
    summarizer: input.summarizer === null ? null : withSoundModels(input.summarizer),
    aligned: alignedFor(input, { transcript: foldedTokens, answer: tokens }),
    maxCalls: input.maxCalls,
    count: (text) => measure.text(text),
    sections: askedSections(plan.template),
    ...(input.signal === undefined ? {} : { signal: input.signal }),
    ...(input.onText === undefined ? {} : { onText: input.onText }),
  };
}

/** The conversation's own model as a summariser, when asking it costs less. */
function alignedFor(
  { aligned, summarizer, view, measure }: SummarizeInput,
  tokens: { readonly transcript: number; readonly answer: number },
): WriteInput['aligned'] {
  if (aligned === null) return null;
  const viewTokens = measure.messages(view);
  if (!isAlignedCheaper(aligned, summarizer, { ...tokens, view: viewTokens })) return null;
  return { summarizer: withSoundModels(alignedSummarizer(aligned)), viewTokens, view: view.map(allText).join('\n') };
}

function foldedEntries({ situation, layout }: CompactPlan): readonly Entry[] {
  const { record, stepOfEntry } = situation;
  return record.entries.filter((_, index) => layout.modes[stepOfEntry[index] ?? -1] === 'fold');
}

/** Tokens of the folded steps that no handoff stands for yet. */
function tokensSince({ situation, layout }: CompactPlan, through: number): number {
  const { record, steps, stepOfEntry } = situation;
  const fresh = new Set(record.entries.flatMap(({ number }, at) => (number > through ? [stepOfEntry[at] ?? -1] : [])));
  return steps.reduce((sum, { tokens }, at) => (layout.modes[at] === 'fold' && fresh.has(at) ? sum + tokens : sum), 0);
}

/** The summary lines of the handoff so far, under their headings, in the form that the model is asked for. */
function previousText(summaryLines: readonly SummedEntry[], template: readonly string[]): string {
  const sections = orderedSections(
    summaryLines.map((entry) => entry.section),
    sectionsFor(template),
  );
  return sections
    .flatMap(({ id, title }) => {
      const lines = summaryLines.filter((entry) => entry.section === id);
      return lines.length === 0 ? [] : [title, ...lines.map((entry) => `- ${lineOf(entry)}`)];
    })
    .join('\n');
}

function criticalIn(folded: readonly Entry[], facts: readonly Fact[]): readonly Fact[] {
  const numbers = new Set(folded.map((entry) => entry.number));
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

interface UsedLines {
  readonly trust: number;
  readonly added: number;
  readonly lines: number;
}

function validationOf(written: Written, used: UsedLines | null): Summarized['validation'] {
  return {
    promptVersion: PROMPT_VERSION,
    lines: written.lines.length,
    rejected: written.rejected,
    removed: written.removed,
    entriesNotRead: written.omitted,
    ...(written.failures.length === 0 ? {} : { failures: written.failures }),
    ...(used === null ? {} : { linesUsed: used.lines, trust: used.trust, factsAddedByCode: used.added }),
  };
}
