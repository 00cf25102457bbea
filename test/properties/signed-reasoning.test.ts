import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isRecord, listIn } from '../../bench/loops/checkers/checker.ts';
import { compact, type Receipt } from '../../src/index.ts';
import { type Moment, OUTPUT, playSignedLoop } from './signed-reasoning-loop.ts';
import { SIGNED_WIRES, type SignedWire, thoughtsIn } from './signed-reasoning-provider.ts';
import { signedScripts } from './signed-reasoning-script.ts';
import { check, FORMATS } from './support.ts';

const TIMEOUT = 120_000;
const loops = signedScripts({ turns: 3, steps: 9, windows: [4_000, 10_000], reminders: true });
const openReasoning = fc.constantFrom('refuse', 'refuse', 'strip');
const LIST: Readonly<Record<SignedWire, string>> = {
  anthropic: 'messages',
  'ai-sdk': 'messages',
  'openai-responses': 'input',
  gemini: 'contents',
};
const BOUND: ReadonlySet<SignedWire> = new Set(['anthropic', 'ai-sdk']);
/** Below this, a handoff may have no room for the first request. */
const LEAST_TARGET = 1_500;
/** Before a provider has counted, a request this close to the window may exceed it. */
const UNMEASURED_SHARE = 0.9;

describe('signed reasoning', () => {
  for (const wire of SIGNED_WIRES)
    it(`goes back as the provider demands, in every request of a loop: ${wire}`, { timeout: TIMEOUT }, async () => {
      const seen = new Map<string, number>();
      await check(
        fc.asyncProperty(loops, openReasoning, async (script, asked) => {
          const live = new Set<string>();
          await playSignedLoop({
            wire,
            script,
            options: { openReasoning: asked, trim: script.seed % 3 === 0 ? { tokens: 900 } : false },
            look(moment) {
              const { outcome, receipt } = moment.prepared;
              for (const kind of new Set([outcome, ...kindsIn(receipt)])) seen.set(kind, (seen.get(kind) ?? 0) + 1);
              thoughtsStay(moment, live);
              if (!BOUND.has(wire) || outcome === 'unchanged' || outcome === 'refused') return;
              const isForced = asked === 'strip' || moment.tokensBefore > (script.window - OUTPUT) * UNMEASURED_SHARE;
              openTurnStaysOrGoes(moment, isForced);
            },
          });
        }),
        24,
      );
      expect(seen.get('folded') ?? 0).toBeGreaterThan(10);
      if (BOUND.has(wire)) {
        expect(seen.get('retell') ?? 0).toBeGreaterThan(10);
        expect((seen.get('trim') ?? 0) + (seen.get('condense') ?? 0)).toBeGreaterThan(0);
      }
    });

  for (const wire of SIGNED_WIRES)
    it(`goes back as the provider demands after compact() with a target: ${wire}`, { timeout: TIMEOUT }, async () => {
      const wide = signedScripts({ turns: 2, steps: 6, windows: [60_000, 60_000], reminders: true });
      let compacted = 0;
      await check(
        fc.asyncProperty(wide, fc.integer({ min: 15, max: 90 }), openReasoning, async (script, percent, asked) => {
          await playSignedLoop({
            wire,
            script,
            async look(moment, provider) {
              if (moment.at % 3 !== script.seed % 3) return;
              const conversation = moment.context.conversation();
              const target = Math.max(LEAST_TARGET, Math.floor((moment.tokensBefore * percent) / 100));
              const own = await compact(conversation, FORMATS[wire], { target, openReasoning: asked });
              const request = FORMATS[wire].encode(own.conversation);
              expect(provider.faults(request)).toEqual([]);
              if (own.outcome === 'unchanged' || own.outcome === 'refused') return;
              compacted++;
              if (BOUND.has(wire))
                openTurnStaysOrGoes(
                  { ...moment, prepared: { ...moment.prepared, request, receipt: own.receipt } },
                  asked === 'strip',
                );
            },
          });
        }),
        15,
      );
      expect(compacted).toBeGreaterThan(8);
    });
});

function kindsIn(receipt: Receipt | null): readonly string[] {
  return receipt?.edits.map(({ kind }) => kind) ?? [];
}

/** Thoughts made under a view go back with the same bytes in every later request, until the view changes. */
function thoughtsStay({ wire, prepared, turn, viewBefore, view }: Moment, live: Set<string>): void {
  const sent = new Set(thoughtsIn(wire, prepared.request));
  if (viewBefore === view) for (const thought of [...live, ...turn.newest]) expect(sent).toContain(thought);
  live.clear();
  for (const thought of sent) live.add(thought);
}

/** While a turn with bound thoughts is open, only what is behind the last of them may shrink; or nothing of the turn is left. */
function openTurnStaysOrGoes(moment: Moment, isForced: boolean): void {
  const { wire, before, prepared, turn } = moment;
  const messages = listIn(before, LIST[wire]);
  const isOpen = turn.results.length > 0 && turn.thoughts.some((thought) => thoughtsIn(wire, before).includes(thought));
  if (!isOpen) return;
  if (kindsIn(prepared.receipt).includes('retell')) {
    expect(isForced, 'only the window folds an open turn').toBe(true);
    nothingIsLeft(moment);
    return;
  }
  const last = messages.findLastIndex((message) => thoughtsIn(wire, message).length > 0);
  const now = listIn(prepared.request, LIST[wire]);
  const isSame = JSON.stringify(now.slice(0, last + 1)) === JSON.stringify(messages.slice(0, last + 1));
  expect(isSame, 'nothing up to the last thought changes').toBe(true);
  expect(now).toHaveLength(messages.length);
  for (const [at, message] of now.entries())
    expect(JSON.stringify(message).length).toBeLessThanOrEqual(JSON.stringify(messages[at]).length);
}

function nothingIsLeft({ wire, prepared, turn }: Moment): void {
  const sent = thoughtsIn(wire, prepared.request);
  for (const thought of turn.thoughts) expect(sent).not.toContain(thought);
  const ids = new Set<unknown>();
  JSON.stringify(prepared.request, (_key, field: unknown) => {
    if (isRecord(field)) for (const key of ['id', 'tool_use_id', 'toolCallId']) ids.add(field[key]);
    return field;
  });
  for (const id of turn.callIds) expect(ids).not.toContain(id);
  const text = JSON.stringify(prepared.request);
  for (const words of [turn.task, turn.asked, ...turn.results]) expect(text.includes(words), words).toBe(true);
  const said = listIn(prepared.request, LIST[wire]).filter(({ role }) => role !== 'system');
  expect(said.at(-1)?.['role']).toBe('user');
}
