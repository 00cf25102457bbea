/** Finds the line of the value at a path in a JSON text, counted from 1. When it is missing, finds the line of its nearest existing parent. */
export function lineOfPath(text: string, path: readonly PropertyKey[]): number {
  let at = skipSpace(text, 0);
  for (const key of path) {
    const next = childAt(text, at, String(key));
    if (next === null) break;
    at = next;
  }
  return lineAt(text, at);
}

/** Returns the line of an offset in a text, counted from 1. */
export function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}

/** Finds the line on which the JSON of a text breaks, or the last line when the error does not say. */
export function brokenLine(text: string, error: unknown): number {
  const message = error instanceof Error ? error.message : '';
  const line = /line (\d+)/.exec(message)?.[1];
  if (line !== undefined) return Number(line);
  const position = /position (\d+)/.exec(message)?.[1];
  return lineAt(text, position === undefined ? text.length : Number(position));
}

/** Finds a member of the object, or an element of the list, that begins at `at`; null when it is missing. The text must be valid JSON. */
function childAt(text: string, at: number, key: string): number | null {
  const isObject = text[at] === '{';
  if (!isObject && text[at] !== '[') return null;
  let place = skipSpace(text, at + 1);
  for (let index = 0; place < text.length && text[place] !== '}' && text[place] !== ']'; index++) {
    let name = String(index);
    if (isObject) {
      const end = endOfString(text, place);
      name = JSON.parse(text.slice(place, end)) as string;
      place = skipSpace(text, skipSpace(text, end) + 1);
    }
    if (name === key) return place;
    place = skipSpace(text, endOfValue(text, place));
    if (text[place] === ',') place = skipSpace(text, place + 1);
  }
  return null;
}

function endOfValue(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; ) {
    const char = text[at];
    if (char === '"') at = endOfString(text, at);
    else {
      if (char === '{' || char === '[') depth += 1;
      else if (char === '}' || char === ']') depth -= 1;
      else if (char === ',' && depth === 0) return at;
      if (depth < 0) return at;
      at += 1;
    }
    if (depth === 0 && (char === '"' || char === '}' || char === ']')) return at;
  }
  return text.length;
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && /\s/.test(text[at] as string)) at += 1;
  return at;
}
