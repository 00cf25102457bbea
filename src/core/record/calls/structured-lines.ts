import { readLenient, unescaped } from './lenient-json.ts';

/** Structures inside texts inside structures are opened this deep. */
const MOST_LEVELS = 5;
/** A longer text that is not quite JSON stays as it is. */
const LENIENT_CHARS = 1_000_000;
/** An object this short stays on one line. */
const RECORD_CHARS = 240;
/** Most lines, and most characters of a line, before a structure: `Response:`. */
const PREFIX_LINES = 3;
const PREFIX_CHARS = 120;

/** The lines of a text that is a structure, or ends in one: JSON, a Python print, a wrapper around either. Null for plain text. */
export function structuredLines(text: string, level = 0): readonly string[] | null {
  if (level >= MOST_LEVELS) return null;
  const start = text.trimStart();
  const printed = printedTexts(start);
  if (printed !== null) return printed.flatMap((each) => structuredLines(each, level + 1) ?? each.split('\n'));
  const opened = openStructure(start);
  if (opened === null) return behindPrefix(text, level);
  // Text right behind a bracket means that the brackets belong to a sentence.
  if (!/^[ \t]*(?:\n|$)/.test(opened.rest)) return null;
  return valueLines(opened.value, level).concat(restLines(opened.rest, level));
}

/** The lines behind a structure: more structures, as in a log with one on each line, or plain text. */
function restLines(text: string, level: number): readonly string[] {
  const lines: string[] = [];
  let rest = text.trim();
  for (let next = readLenient(rest); next !== null; next = readLenient(rest)) {
    if (!/^[ \t]*(?:\n|$)/.test(next.rest)) break;
    for (const line of valueLines(next.value, level)) lines.push(line);
    rest = next.rest.trim();
  }
  return rest === '' ? lines : lines.concat(rest.split('\n'));
}

function openStructure(text: string): { readonly value: unknown; readonly rest: string } | null {
  if (!/^[{["]/.test(text)) return null;
  try {
    const value: unknown = JSON.parse(text);
    // A quoted sentence is text, unless there is a structure in the quotes.
    return typeof value === 'string' && !/^\s*[{[]/.test(value) ? null : { value, rest: '' };
  } catch {
    return text.length > LENIENT_CHARS ? null : readLenient(text);
  }
}

/** A structure below a line or two that announce it, or behind `Error: `. */
function behindPrefix(text: string, level: number): readonly string[] | null {
  let at = 0;
  for (let line = 0; line <= PREFIX_LINES; line++) {
    const end = text.indexOf('\n', at);
    const own = text.slice(at, end < 0 ? text.length : end);
    const label = /^[\w ./-]{1,60}[:=] ?(?=[[{])/.exec(own)?.[0] ?? '';
    const from = label === '' && line > 0 && /^[[{]/.test(own) ? at : label === '' ? -1 : at + label.length;
    if (from >= 0) {
      const opened = openStructure(text.slice(from));
      // One bracket in a line of prose or code is no structure: it has to be all that follows.
      if (opened === null || opened.rest.trim() !== '') return null;
      const before = text.slice(0, from).split('\n');
      return before.filter((each) => each.trim() !== '').concat(valueLines(opened.value, level));
    }
    if (end < 0 || own.length > PREFIX_CHARS) return null;
    at = end + 1;
  }
  return null;
}

/** The texts in `content=[TextContent(type='text', text='…')]`, as Python prints the result of a tool server; null for other texts. */
function printedTexts(text: string): readonly string[] | null {
  const first = /^(?:\w+=\S+ )?(?:content=)?\[TextContent\(/.exec(text);
  if (first === null || text.length > LENIENT_CHARS) return null;
  const texts: string[] = [];
  const literal = /TextContent\(type='text', text=(?:'((?:[^'\\]|\\[\s\S])*)(?:'|$)|"((?:[^"\\]|\\[\s\S])*)(?:"|$))/y;
  for (
    let at = first[0].length - 'TextContent('.length;
    at >= 0;
    at = text.indexOf('TextContent(', literal.lastIndex)
  ) {
    literal.lastIndex = at;
    const match = literal.exec(text);
    if (match === null) return texts.length === 0 ? null : texts;
    texts.push(unescaped(match[1] ?? match[2] ?? ''));
  }
  if (/\bisError=True\b/.test(text.slice(-40))) texts.push('isError: true');
  return texts;
}

function valueLines(value: unknown, level: number): readonly string[] {
  const lines: string[] = [];
  const stack: { readonly key: string; readonly value: unknown }[] = [{ key: '', value }];
  for (let item = stack.pop(); item !== undefined; item = stack.pop()) {
    const { key, value: node } = item;
    const label = key === '' ? '' : `${key}: `;
    if (typeof node === 'string') {
      const inner = /[[{]/.test(node) && node.length > 2 ? structuredLines(node, level + 1) : null;
      const own = inner ?? node.split('\n');
      // Not with `push(...)`: a text may have more lines than a function can take arguments.
      if (inner === null && own.length === 1) lines.push(`${label}${node}`);
      else for (const line of own) lines.push(line);
    } else if (typeof node !== 'object' || node === null) lines.push(`${label}${String(node)}`);
    else if (isFlatRecord(node)) lines.push(`${label}${inline(node)}`);
    else {
      const children = envelopeTexts(node) ?? childrenOf(node, key);
      for (let at = children.length - 1; at >= 0; at--) stack.push(children[at] as { key: string; value: unknown });
    }
  }
  return lines;
}

function entriesOf(node: object): readonly (readonly [string, unknown])[] {
  return node instanceof Map ? [...(node as Map<string, unknown>)] : Object.entries(node);
}

function childrenOf(node: object, key: string): readonly { readonly key: string; readonly value: unknown }[] {
  if (Array.isArray(node)) return node.map((value: unknown) => ({ key, value }));
  return entriesOf(node).map(([name, value]) => ({ key: name, value }));
}

/** The texts of a tool server's answer: `{ content: [{ type: 'text', text }], isError }`. The same once more as `structuredContent` says nothing new. */
function envelopeTexts(node: object): readonly { readonly key: string; readonly value: unknown }[] | null {
  const fields = new Map(Array.isArray(node) ? [] : entriesOf(node));
  const content = fields.get('content');
  if (!Array.isArray(content) || content.length === 0) return null;
  const texts = content.map((item: unknown) => {
    const own = typeof item === 'object' && item !== null ? new Map(entriesOf(item)) : null;
    return own?.get('type') === 'text' ? own.get('text') : null;
  });
  if (!texts.every((text) => typeof text === 'string')) return null;
  const failed = fields.get('isError') === true ? [{ key: 'isError', value: true }] : [];
  return [...texts.map((value) => ({ key: '', value })), ...failed];
}

/** True for an object that is small and one level deep, so that it reads well on one line. Looks at one level only, so depth cannot hurt. */
function isFlatRecord(node: object): boolean {
  const values = Array.isArray(node) ? node : entriesOf(node).map(([, value]) => value);
  return (
    values.length <= 12 &&
    values.every((value) => (typeof value === 'string' ? !/[\n{[]/.test(value) : typeof value !== 'object')) &&
    inline(node).length <= RECORD_CHARS
  );
}

function inline(node: object): string {
  if (Array.isArray(node)) return node.join(', ');
  return entriesOf(node)
    .map(([key, value]) => `${key}: ${String(value)}`)
    .join(', ');
}
