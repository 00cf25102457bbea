import fc from 'fast-check';
import type { Conversation } from '../../src/core/conversation/conversation.ts';
import { heuristicCounter } from '../../src/core/tokens/counter.ts';
import { createMeasure } from '../../src/core/tokens/measure.ts';
import { anthropic, openaiChat } from '../../src/formats/index.ts';
import { type Script, type WireFormat, wireOf } from './arbitraries.ts';

/** The same conversations in every run, unless PRECIS_SEED says otherwise. fast-check names the seed when a property fails. */
export const SEED: number = Number(process.env['PRECIS_SEED'] ?? 20_260_301);

export const FORMATS = { 'openai-chat': openaiChat, anthropic } as const;
export const FORMAT_IDS: readonly WireFormat[] = ['openai-chat', 'anthropic'];

/** Share of a conversation that a target asks for; the smallest ones can only be refused. */
export const share: fc.Arbitrary<number> = fc.oneof(
  { weight: 1, arbitrary: fc.constantFrom(0.01, 0.05, 0.97) },
  { weight: 5, arbitrary: fc.integer({ min: 15, max: 90 }).map((percent) => percent / 100) },
);

export function decoded(format: WireFormat, script: Script): Conversation {
  return FORMATS[format].decode(wireOf(format, script)).conversation;
}

export function tokensOf(conversation: Conversation): number {
  return createMeasure(heuristicCounter).conversation(conversation);
}

export function targetOf(conversation: Conversation, part: number): number {
  return Math.max(1, Math.floor(tokensOf(conversation) * part));
}

export function check<Values extends [unknown, ...unknown[]]>(
  property: fc.IAsyncProperty<Values>,
  numRuns: number,
): Promise<void> {
  return fc.assert(property, { seed: SEED, numRuns, interruptAfterTimeLimit: 60_000, markInterruptAsFailure: true });
}
