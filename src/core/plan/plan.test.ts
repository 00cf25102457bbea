import { describe, expect, it } from 'vitest';
import { openaiChat } from '../../formats/openai-chat/index.ts';
import { build } from '../../testing/build/build.ts';
import { type Message, resultTextOf, textOf, toolResultsOf } from '../conversation/message.ts';
import { isHandoff } from '../record/handoff/handoff-message.ts';
import { heuristicCounter } from '../tokens/counter.ts';
import { createMeasure } from '../tokens/measure.ts';
import { limitsFor } from '../tokens/window.ts';
import { fitView } from '../view/fit.ts';
import { type Plan, type PlanInput, plan } from './plan.ts';
import { zoneSteps } from './zones.ts';

type Session = ReturnType<typeof build>;
const measure = createMeasure(heuristicCounter);
const output = (seed: number, lines = 40): string =>
  Array.from(
    { length: lines },
    (_, at) => `row ${seed}-${at}: value ${seed * 31 + at} was written to table orders_${at % 7}`,
  ).join('\n');

function longSession(steps: number): Session {
  let session = build().system('Be careful.').user('Migrate the orders. Never drop a table.');
  for (let at = 0; at < steps; at++)
    session = session
      .assistant(at % 10 === 0 ? `Batch ${at} is next.` : '')
      .call('run_batch', { id: at })
      .result(output(at));
  return session;
}

function inputFor(session: Session, target: number, change: Partial<PlanInput> = {}): PlanInput {
  const { messages } = session.decode(openaiChat);
  const limits = limitsFor({ window: 200_000, target });
  return { view: messages, history: messages, measure, limits, force: true, openReasoning: 'refuse', ...change };
}

function compactPlan(value: Plan): Extract<Plan, { type: 'compact' }> {
  if (value.type !== 'compact') throw new Error(`Expected a plan that compacts, got ${value.type}`);
  return value;
}

function fitted(input: PlanInput): { readonly messages: readonly Message[]; readonly tokens: number } {
  const done = fitView(compactPlan(plan(input)), measure);
  if (done.type !== 'fitted') throw new Error(`Expected the plan to fit, it needs ${done.tokens} tokens`);
  return { messages: done.view.messages, tokens: done.tokens };
}

function deepFreeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value) || ArrayBuffer.isView(value)) return;
  Object.freeze(value);
  for (const child of Object.values(value)) deepFreeze(child);
}

describe('plan', () => {
  it('gives the same answer twice and changes nothing that it is given', () => {
    const input = inputFor(longSession(30), 6_000);
    deepFreeze(input.history);
    deepFreeze(input.limits);
    expect(plan(input)).toEqual(plan(input));
  });

  it('leaves a conversation alone that fits', () => {
    const input = inputFor(longSession(2), 50_000);
    expect(plan(input)).toMatchObject({ type: 'keep', forecast: { tokensAfter: measure.messages(input.view) } });
  });

  it('waits for the threshold unless it is forced', () => {
    const input = inputFor(longSession(30), 6_000);
    expect(plan({ ...input, force: false }).type).toBe('keep');
    expect(plan(input).type).toBe('compact');
  });

  it.each([3_000, 6_000, 12_000, 20_000])(
    'forecasts a size within the target of %i, and the view holds it',
    (target) => {
      const input = inputFor(longSession(40), target);
      const { forecast } = compactPlan(plan(input));
      const { tokens } = fitted(input);
      expect(forecast.tokensBefore).toBe(measure.messages(input.view));
      expect(forecast.tokensAfter).toBeLessThanOrEqual(target);
      expect(tokens).toBeLessThanOrEqual(target);
      expect(tokens).toBeGreaterThan(target * 0.5);
    },
  );

  it('keeps more of a conversation when there is more room', () => {
    const sizes = [3_000, 6_000, 12_000, 20_000].map((target) => fitted(inputFor(longSession(40), target)).tokens);
    expect(sizes).toEqual(sizes.toSorted((left, right) => left - right));
  });

  it('trims a newest step that is larger than the target', () => {
    const session = build()
      .user('Look at the log.')
      .call('Bash', { command: 'tail -f app.log' })
      .result(`${output(1, 2_000)}\nError: disk full on node-7\n${output(2, 2_000)}`);
    const { messages, tokens } = fitted(inputFor(session, 4_000));
    expect(tokens).toBeLessThanOrEqual(4_000);
    const [result] = messages.flatMap(toolResultsOf);
    const text = result === undefined ? '' : resultTextOf(result);
    expect(text).toContain('row 1-0:');
    expect(text).toContain('Error: disk full on node-7');
    expect(text).toContain('row 2-1999:');
  });

  it('splits two hundred steps behind one prompt between steps', () => {
    const { messages, tokens } = fitted(inputFor(longSession(200), 8_000));
    expect(tokens).toBeLessThanOrEqual(8_000);
    const open = new Set<string>();
    for (const message of messages)
      for (const part of message.parts) {
        if (part.type === 'tool-call') open.add(part.callId);
        else if (part.type === 'tool-result') expect(open.delete(part.callId)).toBe(true);
      }
    expect(open.size).toBe(0);
    expect(messages.filter(isHandoff)).toHaveLength(1);
    expect(messages.map(textOf).join('\n')).toContain('Never drop a table.');
  });

  it('refuses while the turn going on holds signed reasoning, unless it may strip it', () => {
    const session = longSession(30).reasoning('hm', { signature: 'c2ln' }).call('run_batch', { id: 99 }).result('ok');
    expect(plan(inputFor(session, 6_000))).toMatchObject({ type: 'refuse', reason: 'open-reasoning' });
    expect(plan(inputFor(session, 6_000, { openReasoning: 'strip' })).type).toBe('compact');
  });

  it('refuses when every message is protected', () => {
    const session = build().system('x '.repeat(2_000)).user('Go on.');
    expect(plan(inputFor(session, 500))).toMatchObject({ type: 'refuse', reason: 'nothing-to-compact' });
  });
});

describe('zoneSteps', () => {
  const zones = (session: Session, target = 6_000, tailTokens = 600): readonly string[] =>
    zoneSteps(session.decode(openaiChat).messages, measure, { target, tailTokens }).map(({ zone }) => zone);

  it('protects system, task, last user message, calls in flight and a tail within its budget', () => {
    const session = longSession(10).user('And now?').assistant('Last words.').call('run_batch', { id: 1 });
    const found = zones(session);
    expect(found.slice(0, 3)).toEqual(['head', 'head', 'middle']);
    expect(found.slice(-2)).toEqual(['pinned', 'pinned']);
    expect(found.filter((zone) => zone === 'middle').length).toBeGreaterThan(5);
  });

  it('never lets the tail take more than its tokens', () => {
    for (const tailTokens of [0, 500, 2_000, 5_000]) {
      const steps = zoneSteps(longSession(20).decode(openaiChat).messages, measure, { target: 12_000, tailTokens });
      const tail = steps.filter(({ zone }) => zone === 'tail').reduce((sum, { tokens }) => sum + tokens, 0);
      expect(tail).toBeLessThanOrEqual(tailTokens);
    }
  });

  it('puts every message into exactly one step', () => {
    const { messages } = longSession(12).user('x').decode(openaiChat);
    const steps = zoneSteps(messages, measure, { target: 5_000, tailTokens: 900 });
    expect(steps[0]?.from).toBe(0);
    expect(steps.at(-1)?.to).toBe(messages.length);
    for (const [at, step] of steps.entries()) if (at > 0) expect(step.from).toBe(steps[at - 1]?.to);
  });
});
