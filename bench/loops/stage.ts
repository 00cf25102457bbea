import type { Filler, Scene } from './fillers/filler.ts';
import type { LoopSpec } from './loop-spec.ts';
import { type Random, randomFrom } from './random.ts';
import type { Wire } from './said.ts';
import type { ToolDefinition } from './wires/wire-format.ts';
import { type Words, wordsOf } from './words.ts';

/** How often a loop fills the room that the fixed parts leave. */
const FILLS = 4.5;
/** A prompt in a large window need not be large. */
const MOST_SYSTEM = 2_000;

/** Everything that a loop's texts are made from. */
export interface Stage {
  readonly system: string;
  readonly tools: readonly ToolDefinition[];
  /** Tokens reserved for the answer. */
  readonly output: number;
  readonly scene: (turn: number, isClosed: boolean, room: number) => Scene;
  readonly markers: () => readonly string[];
}

export function stageOf(spec: LoopSpec, filler: Filler, seed: number): Stage {
  const random = randomFrom(`${seed} ${spec.name}`);
  const words = wordsOf(random);
  const { window } = spec;
  const { system, tools, output } = filler.shape;
  const markers: string[] = [];
  let ids = 0;
  const asked = system < 0.1 ? Math.min(MOST_SYSTEM, system * window) : system * window;
  return {
    system: `You keep the books of a yard. ${words.prose(asked)}`,
    tools: toolsOf(tools * window, random, words),
    output: Math.floor(output * window),
    markers: () => markers,
    scene: (turn, isClosed, room) => ({
      turn,
      window,
      budget: ((filler.fills ?? FILLS) * room) / spec.turns,
      random,
      words,
      isClosed,
      isFresh: isClosed,
      id: (prefix) => `${prefix}_${++ids}`,
      mark: () => {
        const marker = words.marker();
        markers.push(marker);
        return marker;
      },
    }),
  };
}

const NAMES = ['read_sheet', 'count_stock', 'write_note'] as const;
/** Tokens of the description of one of many tools. */
const EACH = 300;

function toolsOf(tokens: number, random: Random, words: Words): readonly ToolDefinition[] {
  const more = Array.from({ length: Math.round(tokens / (EACH + 45)) }, (_, index) => `yard_tool_${index}`);
  return [...NAMES, ...more].map((name, index) => ({
    name,
    description: index < NAMES.length ? words.sentence() : words.prose(EACH),
    schema: schemaOf(random),
  }));
}

function schemaOf(random: Random): Wire {
  return {
    type: 'object',
    properties: { sheet: { type: 'string', description: `Sheet ${random.below(99)}` } },
  };
}
