import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compact } from '../../src/core/compact.ts';
import { append, type Conversation } from '../../src/core/conversation/conversation.ts';
import { type Message, textOf } from '../../src/core/conversation/message.ts';
import { checkSound } from '../../src/core/conversation/sound.ts';
import type { Format } from '../../src/core/format.ts';
import { isHandoff } from '../../src/core/record/handoff/handoff-message.ts';
import { heuristicCounter } from '../../src/core/tokens/counter.ts';
import { createMeasure } from '../../src/core/tokens/measure.ts';
import { ledgerOf } from '../../src/core/worth/judge-facts.ts';
import { type Builder, build, type WireObject } from '../../src/testing/index.ts';
import { listOf, type Script, scripts, type WireFormat, wireOf, withList } from './arbitraries.ts';
import {
  check,
  decoded,
  FORMAT_IDS,
  FORMATS,
  fixtures,
  folded,
  lostFacts,
  obeys,
  partsOf,
  readable,
  tokensOf,
} from './support.ts';

/** What only a handoff of ours says, and at most once. */
const FRAME = ', not a request';

/** Handoffs in a view that nobody said: a user may paste one of another session. */
function handoffsIn(view: Conversation, said: ReadonlySet<Message>): readonly Message[] {
  // A message with tool results may be condensed around the words in it, so words are compared, not objects.
  const words = new Set([...said].map(textOf));
  return view.messages.filter((message) => isHandoff(message) && !words.has(textOf(message)));
}

function doesNotNest(view: Conversation, said: ReadonlySet<Message>): void {
  const written = handoffsIn(view, said);
  expect(written.length).toBeLessThanOrEqual(1);
  for (const message of written) expect(textOf(message).split(FRAME)).toHaveLength(2);
}

/** A session that grows part by part and is compacted after each; every law holds at every pass. */
async function grow(
  parts: readonly (readonly Message[])[],
  start: Conversation,
  format: Format,
  target: number,
): Promise<Conversation> {
  const said = new Set(parts.flat());
  let view = start;
  for (const part of parts) {
    view = append(view, part);
    const { conversation } = await obeys({ conversation: view, format, target });
    view = conversation;
    doesNotNest(view, said);
  }
  return view;
}

describe('a session that is compacted again and again', () => {
  for (const id of FORMAT_IDS) {
    const format = FORMATS[id];

    it(
      `obeys every law at every pass and keeps the first constraints within reach, for ${format.title}`,
      { timeout: 60_000 },
      () =>
        check(
          fc.asyncProperty(
            scripts({ events: 40, inFlight: false }),
            fc.integer({ min: 5, max: 10 }),
            fc.integer({ min: 15, max: 60 }),
            async (script, passes, percent) => {
              const whole = decoded(id, script);
              const parts = partsOf(whole.messages, passes);
              const target = Math.max(700, Math.floor((tokensOf(whole) * percent) / 100));
              const view = await grow(parts, { ...whole, messages: [] }, format, target);
              const first = new Set(
                ledgerOf(parts[0] ?? [])
                  .facts.filter(({ kind }) => kind === 'constraint')
                  .map(({ text }) => text),
              );
              const lost = lostFacts(view, (fact) => fact.kind === 'constraint' && first.has(fact.text));
              expect(lost.map(({ text }) => text)).toEqual([]);
            },
          ),
          14,
        ),
    );

    it(
      `never nests handoffs and stays sound when only the messages are left, for ${format.title}`,
      { timeout: 60_000 },
      () =>
        check(
          fc.asyncProperty(
            fc.array(scripts({ events: 10, inFlight: false }), { minLength: 5, maxLength: 8 }),
            fc.integer({ min: 800, max: 3_000 }),
            async (rounds, target) => {
              let wire: unknown = null;
              for (const round of rounds) {
                const { conversation, notes } = format.decode(continued(id, wire, round));
                // What we wrote needs no mending.
                expect(notes).toEqual([]);
                const { conversation: view } = await obeys({ conversation, format, target });
                doesNotNest(view, new Set(conversation.messages));
                wire = encoded(view, format);
              }
            },
          ),
          8,
        ),
    );

    it(`still says what the user ruled out at first after ten passes from the messages alone, for ${format.title}`, () =>
      check(
        fc.asyncProperty(fc.nat(1_000), fc.integer({ min: 2_000, max: 5_000 }), async (seed, target) => {
          let wire = encoded(opening(id).decode(format), format);
          for (let pass = 0; pass < 10; pass++) {
            const { conversation } = format.decode(withMore(id, wire, seed + pass * 100));
            const { conversation: view, outcome } = await compact(conversation, format, { target });
            expect(outcome).not.toBe('refused');
            expect(tokensOf(view)).toBeLessThanOrEqual(target);
            wire = encoded(view, format);
          }
          const text = readable(format.decode(wire).conversation.messages);
          for (const constraint of CONSTRAINTS) expect(text).toContain(folded(constraint));
        }),
        8,
      ));
  }

  for (const { name, conversation, format } of fixtures())
    for (const share of [0.1, 0.2, 0.5])
      it(`obeys every law in 8 passes over the session ${name} at ${share * 100} %`, async () => {
        // A target is the size of the whole request, and nobody can cut tools.
        const tools = createMeasure(heuristicCounter).text(format.surroundings(conversation).tools);
        const target = tools + Math.floor(tokensOf(conversation) * share);
        const parts = partsOf(conversation.messages, 8);
        const view = await grow(parts, { ...conversation, messages: [] }, format, target);
        expect(tools + tokensOf(view)).toBeLessThanOrEqual(target);
        expect(lostFacts(view).map(({ text }) => text)).toEqual([]);
      });
});

const CONSTRAINTS: readonly string[] = [
  'Never log client ips.',
  'Do not add dependencies.',
  'Keep the public API of createLimiter.',
];

function opening(id: WireFormat): Builder<unknown> {
  return build(id)
    .system('You are careful.')
    .user(`Fix the limiter. ${CONSTRAINTS[0]}`)
    .assistant('I will.')
    .user(`${CONSTRAINTS[1]}\n${CONSTRAINTS[2]}`)
    .assistant('Understood.');
}

/** The wire with some steps of plain work at its end. */
function withMore(id: WireFormat, wire: unknown, seed: number): unknown {
  let more: Builder<unknown> = build(id);
  more = more.user(`Look at part ${seed}.`);
  for (let step = 0; step < 4; step++)
    more = more
      .call('bash', { command: `cat src/part${seed + step}.ts` }, { id: `call_${seed}_${step}` })
      .result(
        Array.from({ length: 60 }, (_, line) => `const value${seed + line} = read(${line}, 'a${step}');`).join('\n'),
      );
  return joined(id, wire, more.assistant(`Part ${seed} is fine.`).done());
}

function continued(id: WireFormat, wire: unknown, script: Script): unknown {
  const more = wireOf(id, script);
  return wire === null
    ? more
    : joined(
        id,
        wire,
        id === 'openai-chat'
          ? withList(
              id,
              more,
              listOf(id, more).filter(({ role }) => role !== 'developer'),
            )
          : more,
      );
}

function joined(id: WireFormat, wire: unknown, more: unknown): unknown {
  const list = [...messagesOf(id, wire), ...messagesOf(id, more)];
  return Array.isArray(wire) ? list : withList(id, wire as WireObject, list);
}

function messagesOf(id: WireFormat, wire: unknown): readonly WireObject[] {
  return Array.isArray(wire) ? (wire as readonly WireObject[]) : listOf(id, wire as WireObject);
}

function encoded(view: Conversation, format: Format): unknown {
  const checked = checkSound(view, format);
  if (checked.type === 'unsound') throw new Error(JSON.stringify(checked.issues));
  // Through text, as it would be stored: nothing of the process survives.
  return JSON.parse(JSON.stringify(format.encode(checked.conversation))) as unknown;
}
