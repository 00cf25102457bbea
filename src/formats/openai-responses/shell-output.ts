import type { TextPart } from '../../core/conversation/message.ts';
import { isRecord, type WireRecord } from '../guards.ts';
import { textParts } from '../parts.ts';
import type { ResponsesItem } from './wire.ts';

/** The texts of a shell's output: what its commands wrote, and how the last one ended unless all went well. Null for any other output. */
export function shellTexts(item: ResponsesItem): readonly TextPart[] | null {
  const chunks = chunksOf(item);
  if (chunks === null) return null;
  const streams = chunks.flatMap(({ stdout, stderr }) => [stdout, stderr === '' ? '' : `stderr: ${String(stderr)}`]);
  return [...textParts(streams.filter((text) => text !== '').join('\n')), ...textParts(endText(chunks))];
}

/** Writes an edited text as the output of a shell; null when the item is no output of a shell. How the command ended stays as it was. */
export function shellOutput(item: ResponsesItem, texts: readonly string[]): readonly unknown[] | null {
  const chunks = chunksOf(item);
  if (chunks === null) return null;
  const last = chunks.at(-1);
  const end = endText(chunks);
  const stdout = texts.filter((text, at) => text !== end || at === 0).join('\n');
  return [{ ...last, stdout, stderr: '', outcome: last?.['outcome'] ?? { type: 'exit', exit_code: 0 } }];
}

/** True when the last command of a shell failed or took too long. */
export function hasFailed(item: ResponsesItem): boolean {
  return endText(chunksOf(item) ?? []) !== '';
}

function chunksOf({ type, output }: ResponsesItem): readonly WireRecord[] | null {
  if (type !== 'shell_call_output' || !Array.isArray(output)) return null;
  const chunks = output.filter(isRecord);
  const isKnown = (chunk: WireRecord): boolean =>
    typeof chunk['stdout'] === 'string' && typeof chunk['stderr'] === 'string';
  return chunks.length === output.length && chunks.every(isKnown) ? chunks : null;
}

function endText(chunks: readonly WireRecord[]): string {
  const outcome = chunks.at(-1)?.['outcome'];
  if (!isRecord(outcome)) return '';
  if (outcome['type'] === 'timeout') return 'timed out';
  const { exit_code: code } = outcome as { readonly exit_code?: unknown };
  return typeof code === 'number' && code !== 0 ? `exit code: ${code}` : '';
}
