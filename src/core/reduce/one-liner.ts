import type { Ref } from '../conversation/ref.ts';
import { REDUCED_MARK } from '../record/calls/output.ts';
import type { DidEntry } from '../record/entry.ts';

export function isReduced(text: string): boolean {
  return text.startsWith(REDUCED_MARK);
}

export interface Cut {
  readonly lines: number;
  readonly tokens: number;
  readonly ref: Ref;
}

/** What stands in place of a tool result: which tool, on what, with what result, how much is left out, and where it is. */
export function oneLiner(entry: DidEntry | null, cut: Cut): string {
  const what = entry === null ? 'tool result' : `${entry.heading}${entry.failed ? ' → failed' : ''}`;
  return `${REDUCED_MARK}${what}; ${cut.lines} lines, ${cut.tokens} tokens left out, original ${cut.ref}]`;
}

/** What stands in place of a result that a later one repeats. `keeper` is in the view, whole. */
export function duplicateLine(keeper: number, ref: Ref): string {
  return `${REDUCED_MARK}same output as in message #${keeper} below, original ${ref}]`;
}

/** What stands where lines were left out of the newest output. */
export function trimLine(lines: number, ref: Ref): string {
  return `${REDUCED_MARK}${lines} lines left out here, whole output ${ref}; of these, the lines that tell something:]`;
}

/** What stands in place of an image or file. It has no handle of its own: its message is found by its place in the history. */
export function mediaLine(kind: 'image' | 'file', mediaType: string): string {
  return `${REDUCED_MARK}${kind}${mediaType === '' ? '' : ` (${mediaType})`} left out]`;
}
