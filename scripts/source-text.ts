/** Just enough reading of TypeScript to find its imports: what is comment, what is text, what is code. */

export interface ImportStatement {
  readonly specifier: string;
  /** Counted from 1. */
  readonly line: number;
  /** True for `import type` and `export type`: nothing is loaded at run time. */
  readonly typeOnly: boolean;
}

/** An `import(…)` whose target is not a literal cannot be checked. */
export const UNREADABLE = '(computed)';

/**
 * The source with comments, and the insides of strings, templates and regular expressions, replaced by spaces of the
 * same length. Quotes and line breaks stay, so that positions still fit the original.
 */
export function codeOnly(source: string): string {
  const out = source.split('');
  const blank = (from: number, to: number): void => {
    for (let at = from; at < to; at++) if (out[at] !== '\n') out[at] = ' ';
  };
  /** Depth of braces at which each open `${` of a template began. */
  const templates: number[] = [];
  let depth = 0;
  let index = 0;
  const text = (from: number, end: (at: number) => boolean): number => {
    let at = from;
    while (at < source.length && !end(at)) at += source[at] === '\\' ? 2 : 1;
    blank(from, Math.min(at, source.length));
    return at;
  };
  const template = (from: number): number => {
    const at = text(from, (i) => source[i] === '`' || source.startsWith('${', i));
    if (source[at] === '`') return at + 1;
    templates.push(depth);
    depth++;
    return at + 2;
  };
  while (index < source.length) {
    const char = source[index];
    if (source.startsWith('//', index)) {
      const end = source.indexOf('\n', index);
      const to = end < 0 ? source.length : end;
      blank(index, to);
      index = to;
    } else if (source.startsWith('/*', index)) {
      const end = source.indexOf('*/', index + 2);
      const to = end < 0 ? source.length : end + 2;
      blank(index, to);
      index = to;
    } else if (char === "'" || char === '"') {
      index = text(index + 1, (i) => source[i] === char || source[i] === '\n') + 1;
    } else if (char === '`') {
      index = template(index + 1);
    } else if (char === '}' && templates.at(-1) === depth - 1) {
      templates.pop();
      depth--;
      index = template(index + 1);
    } else if (char === '/' && startsRegExp(out, index)) {
      index = regExp(source, index + 1, blank);
    } else {
      if (char === '{') depth++;
      if (char === '}') depth--;
      index++;
    }
  }
  return out.join('');
}

/** A slash divides after a value and opens a regular expression after anything else. */
function startsRegExp(code: readonly string[], slash: number): boolean {
  let at = slash - 1;
  while (at >= 0 && /\s/.test(code[at] ?? '')) at--;
  if (at < 0) return true;
  if (!/[\w$)\]}'"`]/.test(code[at] ?? '')) return true;
  const before = code.slice(Math.max(0, at - 10), at + 1).join('');
  return /(?:^|[^\w$.])(?:return|typeof|case|in|of|do|else|void|delete|await|yield)$/.test(before);
}

function regExp(source: string, from: number, blank: (from: number, to: number) => void): number {
  let inClass = false;
  let at = from;
  while (at < source.length && source[at] !== '\n' && (inClass || source[at] !== '/')) {
    if (source[at] === '[') inClass = true;
    if (source[at] === ']') inClass = false;
    at += source[at] === '\\' ? 2 : 1;
  }
  blank(from, Math.min(at, source.length));
  return at + 1;
}

/** Every import and re-export of a source file, static and dynamic. */
export function importsOf(source: string): readonly ImportStatement[] {
  const code = codeOnly(source);
  const found: ImportStatement[] = [];
  const add = (at: number, specifier: string, typeOnly: boolean): void => {
    found.push({ specifier, line: lineOf(source, at), typeOnly });
  };
  const literal = (quote: number, quotedLength: number): string => source.slice(quote + 1, quote + quotedLength - 1);
  for (const match of code.matchAll(STATIC)) {
    const quoted = match[3] ?? '';
    const quote = match.index + match[0].length - quoted.length;
    add(match.index, literal(quote, quoted.length), match[2] !== undefined);
  }
  for (const match of code.matchAll(DYNAMIC)) {
    const quoted = match[2];
    if (quoted === undefined) add(match.index, UNREADABLE, false);
    else add(match.index, literal(match.index + match[0].length - quoted.length, quoted.length), false);
  }
  return found.sort((a, b) => a.line - b.line);
}

const STATIC = /(?<![\w$.])(import|export)\b(\s+type\b(?!\s*(?:,|from\b)))?(?:[\s\w$*{},]*?\bfrom)?\s*(' *'|" *")/g;
const DYNAMIC = /(?<![\w$.])(import|require)\s*\(\s*(' *'|" *")?/g;

export function lineOf(source: string, at: number): number {
  return source.slice(0, at).split('\n').length;
}
