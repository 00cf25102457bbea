import { describe, expect, it } from 'vitest';
import { compact } from '../../src/core/compact.ts';
import { append, type Conversation } from '../../src/core/conversation/conversation.ts';
import { createMeasure } from '../../src/core/tokens/measure.ts';
import { o200k } from '../../src/models/o200k.ts';
import { type Fixture, factsOf, fixtures, holds, longHaul, partsOf, readable } from './support.ts';

/** The session as it grows, compacted after each part to a fifth of the whole. */
async function viewAfter({ conversation, format }: Fixture, passes: number): Promise<Conversation> {
  const target = Math.floor(createMeasure(o200k).conversation(conversation) / 5);
  let view: Conversation = { ...conversation, messages: [] };
  for (const part of partsOf(conversation.messages, passes))
    ({ conversation: view } = await compact(append(view, part), format, { target, counter: o200k }));
  return view;
}

/** Facts that are literally in the view, a little below what is measured. A change that lowers one of these loses facts. */
const FLOORS: Readonly<Record<string, Readonly<Record<number, number>>>> = {
  'rate-limiter': { 1: 0.93, 5: 0.9 },
  'flight-change': { 1: 0.9, 5: 0.83 },
  incident: { 1: 0.83, 5: 0.75 },
  'triage-pr': { 1: 0.95, 5: 0.95 },
  'weekly-jobs': { 1: 0.8, 5: 0.8 },
  'chained-merge': { 1: 0.95, 5: 0.95 },
  'patch-and-merge': { 1: 0.9, 5: 0.9 },
  'long-haul': { 1: 0.85, 5: 0.85 },
};

describe('facts of the fixtures', () => {
  for (const fixture of [...fixtures(), longHaul()])
    for (const passes of [1, 5])
      it(`survive in ${fixture.name} at 20 % after ${passes} ${passes === 1 ? 'pass' : 'passes'}`, async () => {
        const facts = factsOf(fixture.name);
        const text = readable((await viewAfter(fixture, passes)).messages);
        const missing = facts.filter((fact) => !holds(text, fact));
        const survived = (facts.length - missing.length) / facts.length;
        const floor = FLOORS[fixture.name]?.[passes] ?? 1;
        expect(survived, `missing: ${missing.map(({ id }) => id).join(', ')}`).toBeGreaterThanOrEqual(floor);
      });

  it('are all in the sessions themselves, so that the probes ask for something', () => {
    for (const { name, conversation } of [...fixtures(), longHaul()]) {
      const text = readable(conversation.messages);
      for (const fact of factsOf(name)) expect(holds(text, fact), `${name} ${fact.id}`).toBe(true);
    }
  });
});
