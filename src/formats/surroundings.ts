import type { Surroundings } from '../core/conversation/surroundings.ts';
import { valuesAt } from './field-path.ts';
import { toolsText } from './tools-text.ts';

/** Fields of a request that matter for its size, by name or by path (`generationConfig.maxOutputTokens`). */
export interface SurroundingFields {
  /** Fields whose JSON the model reads. */
  readonly tools: readonly string[];
  /** Fields that limit the answer; the first that holds a number counts. */
  readonly output: readonly string[];
}

/** Reads tools and the limit of the answer from the request around the messages. `server` is what the format found itself. */
export function readSurroundings(
  envelope: unknown,
  { tools, output }: SurroundingFields,
  server: string | null,
): Surroundings {
  const texts = tools.flatMap((path) => {
    const [value] = valuesAt(envelope, path).map((found) => found.value);
    return value === undefined || value === null || isEmpty(value) ? [] : [toolsText(value)];
  });
  const limits = output.flatMap((path) => valuesAt(envelope, path).map((found) => found.value)).filter(isCount);
  return {
    tools: texts.filter((text) => text !== '' && text !== '[]' && text !== '{}').join('\n'),
    output: limits[0] ?? null,
    server,
  };
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0;
}
