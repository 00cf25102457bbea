import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { compact } from '../../src/core/compact.ts';
import { append, type Conversation } from '../../src/core/conversation/conversation.ts';
import { createMeasure } from '../../src/core/tokens/measure.ts';
import { parseBank } from '../../src/eval/bank.ts';
import { o200k } from '../../src/models/o200k.ts';
import { type Fixture, fixtures, folded, partsOf, readable } from './support.ts';

interface Probe {
  readonly id: string;
  readonly needles: readonly string[];
}

function probesOf(name: string): readonly Probe[] {
  const file = new URL(`../../fixtures/${name}/probes.json`, import.meta.url);
  const { probes } = parseBank(readFileSync(file, 'utf8'), { file: file.pathname });
  return probes
    .map(({ id, expected }) => ({ id, needles: expected.map(({ value }) => value) }))
    .filter(({ needles }) => needles.length > 0);
}

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
};

describe('facts of the shipped sessions', () => {
  for (const fixture of fixtures())
    for (const passes of [1, 5])
      it(`survive in ${fixture.name} at 20 % after ${passes} ${passes === 1 ? 'pass' : 'passes'}`, async () => {
        const probes = probesOf(fixture.name);
        const text = readable((await viewAfter(fixture, passes)).messages);
        const missing = probes.filter(({ needles }) => !needles.every((needle) => text.includes(folded(needle))));
        const survived = (probes.length - missing.length) / probes.length;
        const floor = FLOORS[fixture.name]?.[passes] ?? 1;
        expect(survived, `missing: ${missing.map(({ id }) => id).join(', ')}`).toBeGreaterThanOrEqual(floor);
      });

  it('are all in the sessions themselves, so that the probes ask for something', () => {
    for (const { name, conversation } of fixtures()) {
      const text = readable(conversation.messages);
      for (const { id, needles } of probesOf(name))
        for (const needle of needles) expect(text, `${name} ${id}`).toContain(folded(needle));
    }
  });
});
