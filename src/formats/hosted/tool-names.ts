import { isRecord } from '../guards.ts';

/** The name and description of each tool, a line each. Schemas are long and say little to a reader. */
export function toolNames(tools: unknown): string {
  if (!Array.isArray(tools)) return '';
  return tools
    .filter(isRecord)
    .flatMap((tool) => {
      const words = [tool['name'], tool['description']].filter((word) => typeof word === 'string');
      // A namespace holds tools of its own.
      return [words.join(': '), toolNames(tool['tools'])];
    })
    .filter((line) => line !== '')
    .join('\n');
}
