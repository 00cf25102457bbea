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

/** The line in place of a tool result: the tool, its target, whether it failed, how much is left out, and the ref of the original. */
export function oneLiner(entry: DidEntry | null, cut: Cut): string {
  const what = entry === null ? 'tool result' : `${entry.heading}${entry.failed ? ' → failed' : ''}`;
  return `${REDUCED_MARK}${what}; ${cut.lines} lines, ${cut.tokens} tokens left out, original ${cut.ref}]`;
}

/** The line in place of a result that a later one repeats. `keeper` is the number of the later message, which is in the view whole. */
export function duplicateLine(keeper: number, ref: Ref): string {
  return `${REDUCED_MARK}same output as in message #${keeper} below, original ${ref}]`;
}

/** The line in place of the middle of a trimmed output. */
export function trimLine(lines: number, ref: Ref): string {
  return `${REDUCED_MARK}${lines} lines left out here, whole output ${ref}; of these, the lines that tell something:]`;
}

/** The line in place of words that a long message leaves out. `whole` says where the whole message is found. */
export function wordsLine({ chars, whole, kept }: { chars: number; whole: string; kept: boolean }): string {
  return `${REDUCED_MARK}${chars} characters left out here, whole ${whole}${kept ? '; of these, the lines that tell something:' : ''}]`;
}

/** The line in place of an image or file. Its message is found by its number, or where `whole` says. */
export function mediaLine(kind: 'image' | 'file', mediaType: string, whole?: string): string {
  const where = whole === undefined ? '' : `, whole ${whole}`;
  return `${REDUCED_MARK}${kind}${mediaType === '' ? '' : ` (${mediaType})`} left out${where}]`;
}
