/** A place in a text, counted from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

export function placeAt(text: string, offset: number): Place {
  let line = 1;
  let lineStart = 0;
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) {
    line += 1;
    lineStart = at + 1;
  }
  return { line, column: offset - lineStart + 1 };
}
