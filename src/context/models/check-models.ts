import { PrecisError } from '../../core/errors.ts';
import type { ModelWindow } from '../../core/tokens/window.ts';

/** The sizes that a host states, as far as they depend on each other. */
export interface StatedSizes {
  readonly models?: readonly ModelWindow[];
  readonly window?: number;
  readonly policy?: { readonly reservedOutput?: number };
}

/** The smallest window that holds a system message, a handoff and an answer. */
const SMALLEST_WINDOW = 16;

/** Refuses models that cannot be, models of the same name, and a reserve that leaves no room in a window. */
export function checkModels({ models = [], window, policy = {} }: StatedSizes): void {
  if (!Array.isArray(models)) throw wrong('models', 'a list of models with their windows', models);
  const ids = new Set<string>();
  for (const [index, model] of models.entries()) {
    checkModel(model, `models[${index}]`);
    if (ids.has(model.id)) throw wrong(`models[${index}].id`, 'unlike that of every other model', model.id);
    ids.add(model.id);
  }
  if (window !== undefined) checkReserve(policy.reservedOutput, window, 'the window');
  else
    for (const model of models) checkReserve(policy.reservedOutput, model.contextWindow, `the window of ${model.id}`);
}

/** Refuses a model that cannot be: the error names the field and its value. */
export function checkModel(model: unknown, name: string): asserts model is ModelWindow {
  if (typeof model !== 'object' || model === null)
    throw wrong(name, 'an object with `id`, `contextWindow` and `maxOutput`', model);
  const { id, contextWindow, maxOutput } = model as Partial<Record<keyof ModelWindow, unknown>>;
  if (typeof id !== 'string' || id === '') throw wrong(`${name}.id`, 'a name', id);
  if (!isCount(contextWindow, SMALLEST_WINDOW))
    throw wrong(`${name}.contextWindow`, `an integer of ${SMALLEST_WINDOW} or more`, contextWindow);
  if (maxOutput === null) return;
  if (!isCount(maxOutput, 1)) throw wrong(`${name}.maxOutput`, 'an integer of 1 or more, or null', maxOutput);
  if (maxOutput > contextWindow)
    throw wrong(`${name}.maxOutput`, `at most its \`contextWindow\` of ${contextWindow}`, maxOutput);
}

/** Refuses a reserve for the answer that fills the window. */
export function checkReserve(reservedOutput: number | undefined, window: number, name: string): void {
  if (reservedOutput === undefined || (isCount(reservedOutput, 0) && reservedOutput < window)) return;
  throw wrong(
    'policy.reservedOutput',
    `an integer from 0 up to, but not including, ${name}, ${window}`,
    reservedOutput,
  );
}

function isCount(value: unknown, least: number): value is number {
  return Number.isSafeInteger(value) && (value as number) >= least;
}

function wrong(option: string, expected: string, value: unknown): PrecisError {
  const text = `Expected \`${option}\` to be ${expected}, got \`${String(value)}\` (${typeof value})`;
  return new PrecisError('bad-option', text, { option, value });
}
