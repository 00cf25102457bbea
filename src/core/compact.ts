import { type Conversation, historyOf, withView } from './conversation/conversation.ts';
import type { SoundnessIssue } from './conversation/issue.ts';
import type { Message } from './conversation/message.ts';
import { checkSound, type SoundConversation, type SoundnessCheck, type SoundnessRules } from './conversation/sound.ts';
import { keptByServer, NO_SURROUNDINGS } from './conversation/surroundings.ts';
import { PrecisError } from './errors.ts';
import { type CompactOptions, checkOptions } from './options.ts';
import {
  type CompactPlan,
  type Effort,
  type Plan,
  plan,
  type Reading,
  type RefusalReason,
  readForPlan,
} from './plan/plan.ts';
import type { Reach } from './plan/reach.ts';
import { auditFacts } from './receipt/audit.ts';
import { makeReceipt, type ReceiptDetails } from './receipt/make-receipt.ts';
import type { Outcome, Receipt } from './receipt/receipt.ts';
import { type Summarized, summarize } from './summary/summarize.ts';
import { accountFor, accountText, type Fixed, fixedOf } from './tokens/account.ts';
import { heuristicCounter } from './tokens/counter.ts';
import { createMeasure, type Measure } from './tokens/measure.ts';
import { type Limits, limitsFor, limitsOfMessages, reservingFor } from './tokens/window.ts';
import { type FittedView, fitView, type TooLarge } from './view/fit.ts';
import { reuseMessages } from './view/reuse.ts';

/** The result of a compaction: a smaller, sound view; or the conversation that came in, and the reason. */
export interface Compaction {
  /** The view to send now, with its history. */
  readonly conversation: SoundConversation;
  /** How the compaction ended. */
  readonly outcome: Outcome;
  /** Why a compaction that was due or asked for was not done; null unless the outcome is `refused`. */
  readonly refusal: RefusalReason | null;
  /** The smallest target that could work, in tokens, when the one asked for was too small. */
  readonly smallestTarget: number | null;
  /** The compaction in numbers and refs. */
  readonly receipt: Receipt;
}

/** Most requests for one summary. */
const MOST_SUMMARY_CALLS = 4;

/**
 * Compacts a conversation: measure, plan, fit a view, let a model write if there is one, check, receipt. Whatever happens, the result is sound
 * and never larger than the input.
 *
 * @param rules the conversation's format, which knows what is sound
 */
export async function compact(
  conversation: Conversation,
  rules: SoundnessRules,
  options: CompactOptions = {},
): Promise<Compaction> {
  const job = startJob(conversation, rules, options);
  if (job.server !== null)
    return job.finish(
      { outcome: 'unchanged' },
      { reason: keptByServer(job.server), notes: [keptByServer(job.server)] },
    );
  const byCode = fitByCode(job);
  switch (byCode.type) {
    case 'keep':
      return job.finish({ outcome: 'unchanged' }, { reason: byCode.reason });
    case 'refuse':
      return job.refuse(byCode.reason, refusalText(job, byCode));
    case 'too-large': {
      const least = byCode.tokens + job.limits.fixed;
      return job.refuse('target-too-small', tooSmall(job, byCode.messages, least), least);
    }
  }
  if (byCode.fitted.tokens >= job.measure.conversation(conversation))
    return job.refuse('not-smaller', 'the compacted view would not be smaller');
  if (options.summarizer !== undefined) {
    // Some views are refused whatever a model writes, such as those of a history that a server keeps: do not pay a model for them.
    const sketch = job.check(byCode.fitted);
    if (sketch.type === 'unsound') return job.refuse('unsound', brokenRule(sketch.issues));
  }

  const summary = await summarizeFold(job, byCode.plan, byCode.fitted);
  const { plan: carriedOut, fitted } = summary ?? { plan: byCode.plan, fitted: byCode.fitted };
  const byModel = summary === null ? {} : { summary };
  const checked = job.check(fitted);
  // Our own edits must never break a conversation. If they would, the caller keeps its input and learns which rule would break.
  if (checked.type === 'unsound')
    return job.finish({ outcome: 'refused', refusal: 'unsound' }, { reason: brokenRule(checked.issues), ...byModel });
  const audit = auditFacts(carriedOut, fitted.view);
  return job.finish(
    { conversation: checked.conversation, outcome: outcomeOf(carriedOut, fitted, summary) },
    {
      reason: reasonFor(carriedOut, fitted.tokens, job.limits.fixed),
      notes: carriedOut.layout.modes.includes('retell') ? [TURN_FOLDED] : [],
      plan: carriedOut,
      view: fitted.view,
      audit,
      ...byModel,
    },
  );
}

const TURN_FOLDED =
  'the turn under way was folded: its signed reasoning could not stay behind an edit, so its newest step is told as text and a fresh turn begins';

/** One compaction from its input to its receipt. */
interface Job {
  readonly conversation: Conversation;
  readonly options: CompactOptions;
  readonly measure: Measure;
  readonly fixed: Fixed;
  /** The sizes of the whole request. Plans work with those of the messages alone. */
  readonly limits: Limits;
  /** What makes a server keep earlier messages; null when the request holds them all. */
  readonly server: string | null;
  planWith(effort: Effort, reach: Reach): Plan;
  check(fitted: FittedView): SoundnessCheck;
  finish(result: Result, details: ReceiptDetails): Compaction;
  refuse(refusal: RefusalReason, reason: string, smallestTarget?: number): Compaction;
}

/** A field that is left out keeps the value for an unchanged conversation. */
type Result = Partial<Omit<Compaction, 'receipt'>> & { readonly outcome: Outcome };

function startJob(conversation: Conversation, rules: SoundnessRules, options: CompactOptions): Job {
  checkOptions(options);
  const now = options.now ?? (() => 0);
  const started = now();
  const given = checkSound(conversation, rules);
  if (given.type === 'unsound') throw unsound(given.issues);
  if (options.signal?.aborted === true)
    throw new PrecisError('aborted', 'The compaction was aborted before it started');
  const shown = conversation.shown === undefined ? {} : { shown: conversation.shown };
  const counts = options.counts === undefined ? {} : { counts: options.counts };
  const measure = createMeasure(options.counter ?? heuristicCounter, options.tokenFactor ?? 1, { ...counts, ...shown });
  const around = rules.surroundings?.(conversation) ?? NO_SURROUNDINGS;
  const tools = measure.text(around.tools);
  const fixed = fixedOf(tools, options.fixedTokens ?? tools);
  const fixedTokens = fixed.tools + fixed.provider;
  const derived = limitsFor(reservingFor({ ...options, fixedTokens }, around.output));
  const limits = options.tailTokens === undefined ? derived : { ...derived, tailTokens: options.tailTokens };
  const history = historyOf(conversation);
  let reading: Reading | null = null;
  const read = (): Reading => {
    reading ??= readForPlan(history, options.learned);
    return reading;
  };
  const unchanged = { conversation: given.conversation, refusal: null, smallestTarget: null };
  const finish: Job['finish'] = (result, details) => {
    const compaction = { ...unchanged, ...result };
    const ms = Math.round(now() - started);
    // A target below the fixed part is planned for as the smallest one above it, but it is what the caller asked for.
    const stated = { ...limits, foldTarget: options.target ?? limits.foldTarget };
    return {
      ...compaction,
      receipt: makeReceipt({ ...compaction, details, before: conversation, measure, limits: stated, fixed, ms }),
    };
  };
  return {
    conversation,
    options,
    measure,
    fixed,
    limits,
    server: around.server,
    planWith: (effort, reach) =>
      plan({
        view: conversation.messages,
        history,
        measure,
        limits: limitsOfMessages(limits),
        force: options.force === true || options.target !== undefined,
        effort,
        reach,
        read,
        openReasoning: options.openReasoning ?? 'refuse',
        template: options.template ?? [],
        ...(options.pinned === undefined ? {} : { pinned: options.pinned }),
        ...shown,
      }),
    check: ({ view }) => checkSound(withView(conversation, reuseMessages(conversation.messages, view.messages)), rules),
    finish,
    refuse: (refusal, reason, smallestTarget) =>
      finish({ outcome: 'refused', refusal, smallestTarget: smallestTarget ?? null }, { reason }),
  };
}

/** Where nothing can be cut, the reason says what fills the request. */
function refusalText({ conversation, measure, fixed, limits }: Job, { reason, detail }: RefusePlan): string {
  if (reason !== 'nothing-to-compact') return detail;
  const account = accountFor({ messages: conversation.messages, measure, fixed, output: limits.output });
  return `${detail}: ${accountText(account)}`;
}

/** Says what the smallest view consists of: nobody can act on a bare number. */
function tooSmall({ measure, fixed, limits }: Job, messages: readonly Message[], least: number): string {
  const account = accountFor({ messages, measure, fixed, output: limits.output });
  const parts = fixed.tools + fixed.provider === 0 && limits.output === 0 ? '' : ` (${accountText(account)})`;
  return `what must stay needs ${least} tokens${parts}, so the smallest possible target is ${least}`;
}

type RefusePlan = Extract<Plan, { readonly type: 'refuse' }>;

/** A plan of code alone and the view that carries it out; or why there is none. */
type ByCode =
  | { readonly type: 'fitted'; readonly fitted: FittedView; readonly plan: CompactPlan }
  | Exclude<Plan, CompactPlan>
  | TooLarge;

/**
 * Efforts in the order they are tried. Sizes in a plan are estimates: if the view comes out too large, the next effort cuts deeper, and then
 * reaches further, each only as far as needed.
 */
const EFFORTS: readonly { readonly effort: Effort; readonly reach: Reach }[] = [
  { effort: 'least', reach: 'usual' },
  { effort: 'condense-more', reach: 'usual' },
  { effort: 'fold', reach: 'usual' },
  { effort: 'fold-all', reach: 'usual' },
  { effort: 'fold-all', reach: 'deep' },
  { effort: 'fold-all', reach: 'least' },
];

function fitByCode({ measure, options, planWith }: Job): ByCode {
  let smallest: TooLarge | null = null;
  let starved: ByCode | null = null;
  let refused: Exclude<Plan, CompactPlan> | null = null;
  for (const { effort, reach } of EFFORTS) {
    if (reach === 'least' && (options.lastResort === false || starved !== null)) break;
    const planned = planWith(effort, reach);
    if (planned.type === 'keep' || (planned.type === 'refuse' && planned.reason === 'open-reasoning')) return planned;
    if (planned.type === 'refuse') {
      refused = planned;
      continue;
    }
    const fitted = fitView(planned, measure);
    if (fitted.type === 'too-large') {
      if (smallest === null || fitted.tokens < smallest.tokens) smallest = fitted;
      continue;
    }
    const made: ByCode = { type: 'fitted', fitted, plan: planned };
    if (reach !== 'usual' || !isStarved(planned)) return starved !== null && isStarved(planned) ? starved : made;
    starved ??= made;
  }
  return starved ?? smallest ?? refused ?? NOTHING;
}

/** A handoff with fewer tokens than these cannot name the task and the state of the work. */
const STARVED_TOKENS = 200;

/** True when everything that stays leaves no room for a handoff. Unreadable parts are worth less than the words of one. */
function isStarved({ layout }: CompactPlan): boolean {
  return layout.modes.includes('fold') && layout.room < STARVED_TOKENS;
}

const NOTHING: Exclude<Plan, CompactPlan> = {
  type: 'refuse',
  reason: 'nothing-to-compact',
  detail: 'there is nothing to condense or fold',
  forecast: { tokensBefore: 0, tokensAfter: 0, worth: 0 },
};

/** Asks a model only when something is folded: condensing keeps the words themselves. */
async function summarizeFold(job: Job, folding: CompactPlan, byCode: FittedView): Promise<Summarized | null> {
  const { conversation, options, measure } = job;
  const { summarizer, aligned, signal, onText } = options;
  if (byCode.view.handoff === null) return null;
  if (summarizer === undefined && aligned === undefined && folding.summaryLines.length === 0) return null;
  return summarize({
    plan: folding,
    byCode,
    view: conversation.messages,
    missing: auditFacts(folding, byCode.view).missing,
    summarizer: summarizer ?? null,
    aligned: aligned ?? null,
    focus: options.focus ?? null,
    maxCalls: options.maxSummaryCalls ?? MOST_SUMMARY_CALLS,
    measure,
    ...(signal === undefined ? {} : { signal }),
    ...(onText === undefined ? {} : { onText }),
  });
}

function outcomeOf({ layout }: CompactPlan, { view }: FittedView, summary: Summarized | null): Outcome {
  if (summary?.asked === true) return summary.outcome;
  if (view.handoff !== null) return 'folded';
  return layout.modes.includes('condense') ? 'condensed' : 'trimmed';
}

function brokenRule([issue]: readonly SoundnessIssue[]): string {
  return `the compacted view would break rule ${issue?.rule}: ${issue?.text}`;
}

function unsound([issue]: readonly SoundnessIssue[]): PrecisError {
  const message = issue?.message ?? -1;
  const remedy = 'decode the conversation with its format first, which mends what can be mended';
  const text = issue?.text ?? 'unknown reason';
  return new PrecisError('unsound', `message ${message + 1}: ${text}; ${remedy}`, { message });
}

function reasonFor({ layout, situation, forecast }: CompactPlan, tokens: number, fixed: number): string {
  const folded = layout.modes.filter((mode) => mode === 'fold').length;
  const condensed = layout.modes.filter((mode) => mode === 'condense').length;
  const kept = situation.steps.length - folded - condensed;
  return `${forecast.tokensBefore + fixed} tokens to ${tokens + fixed}: ${folded} steps folded, ${condensed} condensed, ${kept} kept as they were`;
}
