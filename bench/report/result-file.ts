/** Reads one result file. An error is one sentence that names the file and what was expected. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { z } from 'zod';

export class ResultFileError extends Error {
  override readonly name = 'ResultFileError';
}

export interface ResultFile<Value> {
  /** From the root of the project. */
  readonly file: string;
  /** The command that makes it. */
  readonly command: string;
  readonly schema: z.ZodType<Value>;
}

export function readResultFile<Value>(root: string, { file, command, schema }: ResultFile<Value>): Value {
  const checked = schema.safeParse(parsed(root, file, command));
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  const place =
    issue === undefined || issue.path.length === 0 ? 'the whole' : `\`${issue.path.map(String).join('.')}\``;
  throw new ResultFileError(
    `${file}: ${place} is not what was expected (${issue?.message ?? 'unknown'}). Make it again: ${command}`,
  );
}

function parsed(root: string, file: string, command: string): unknown {
  let text: string;
  try {
    text = readFileSync(join(root, file), 'utf8');
  } catch (cause) {
    throw new ResultFileError(`${file}: expected results of \`${command}\`, found no file. Run that first`, { cause });
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ResultFileError(`${file}: expected JSON, as \`${command}\` writes it. Make it again`, { cause });
  }
}
