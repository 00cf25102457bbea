import type { FailureKind, Model, ModelFailure, ModelOutcome, ModelRequest, ModelUsage } from '../../core/model.ts';

/** A made-up key that no failure may show. */
export const API_KEY = 'sk-precis-4f9d2c7be1a84c6f';
/** Part of every prompt, so that a failure which quotes the prompt is noticed. */
export const PRIVATE_WORDS = 'the heron nests behind the third mill';
/** Generous for a slow machine, and still less than a person would wait. */
const SETTLES_WITHIN_MS = 8000;

/** Every request must end in an outcome, in time: a model that throws or hangs takes its caller down with it. */
export async function settled(model: Model, request: Partial<ModelRequest>): Promise<ModelOutcome> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), SETTLES_WITHIN_MS);
  });
  try {
    const outcome = await Promise.race([late, generate(model, request)]);
    if (outcome === 'late') throw new Error(`Broken law: no outcome after ${SETTLES_WITHIN_MS} ms`);
    if (outcome.type === 'failed') checkMessage(outcome.failure);
    return outcome;
  } finally {
    clearTimeout(timer);
  }
}

async function generate(model: Model, request: Partial<ModelRequest>): Promise<ModelOutcome> {
  try {
    return await model.generate({ instructions: 'Summarise.', prompt: PRIVATE_WORDS, ...request });
  } catch (error) {
    throw new Error(`Broken law: it threw instead of giving an outcome: ${String(error)}`);
  }
}

function checkMessage({ message }: ModelFailure): void {
  mustHold(message.trim() !== '' && !message.includes('\n'), `expected one sentence, got ${JSON.stringify(message)}`);
  mustHold(!message.includes(API_KEY), 'the API key is in the message of a failure');
  mustHold(!message.includes(PRIVATE_WORDS), 'the prompt is in the message of a failure');
}

export function mustSay(outcome: ModelOutcome, text: string): void {
  mustHold(outcome.type === 'text' && outcome.text === text, `expected ${JSON.stringify(text)}, got ${show(outcome)}`);
}

export function mustFail(outcome: ModelOutcome, kinds: readonly FailureKind[] | null): ModelFailure {
  if (outcome.type === 'text') throw new Error(`Broken law: expected a failure, got ${show(outcome)}`);
  const { kind } = outcome.failure;
  mustHold(kinds === null || kinds.includes(kind), `expected ${kinds?.join(' or ')}, got ${show(outcome)}`);
  return outcome.failure;
}

export function mustUse(outcome: ModelOutcome, expected: ModelUsage): void {
  const names = ['inputTokens', 'outputTokens', 'cachedInputTokens'] as const;
  const right = outcome.type === 'text' && names.every((name) => outcome.usage[name] === expected[name]);
  mustHold(right, `expected ${JSON.stringify(expected)}, got ${show(outcome)}`);
}

export function show(outcome: ModelOutcome): string {
  return JSON.stringify(outcome).slice(0, 300);
}

export function mustHold(holds: boolean, message: string): asserts holds {
  if (!holds) throw new Error(`Broken law: ${message}`);
}
