import type { ParsedSession } from './parse.ts';
import type { Span } from './spans.ts';

/**
 * The document with other messages. A message that is still its parsed object is copied from the text, because parsing and printing would change
 * numbers and escapes; only the others are printed.
 */
export function spliceMessages(text: string, parsed: ParsedSession, messages: readonly unknown[]): string {
  const spanOf = new Map(parsed.messages.map((message, index) => [message, parsed.spans[index]]));
  const [first] = parsed.spans;
  const last = parsed.spans.at(-1);
  if (first === undefined || last === undefined) return text;
  const style = styleOf(text, parsed);
  const printed = messages.map((message) => {
    const span = spanOf.get(message);
    return span === undefined ? print(message, style) : text.slice(span.start, span.end);
  });
  return text.slice(0, first.start) + printed.join(style.separator) + text.slice(last.end);
}

/** The text with one value replaced. */
export function spliceValue(text: string, span: Span, value: unknown): string {
  return text.slice(0, span.start) + JSON.stringify(value) + text.slice(span.end);
}

interface Style {
  readonly separator: string;
  /** Space before a message on its own line; null when messages are printed on one line. */
  readonly margin: string | null;
  /** One level of indentation. */
  readonly indent: string;
}

function styleOf(text: string, { shape, spans }: ParsedSession): Style {
  const [first, second] = spans;
  if (first === undefined) return { separator: ',', margin: null, indent: '' };
  if (shape === 'jsonl') return { separator: text.includes('\r\n') ? '\r\n' : '\n', margin: null, indent: '' };
  const before = spaceBefore(text, first.start);
  const separator = second === undefined ? `,${before}` : text.slice(first.end, second.start);
  const inner = /^\{(\s*)/u.exec(text.slice(first.start, first.start + LONGEST_INDENT))?.[1] ?? '';
  if (!inner.includes('\n')) return { separator, margin: null, indent: '' };
  const margin = before.slice(before.lastIndexOf('\n') + 1);
  const indent = inner.slice(inner.lastIndexOf('\n') + 1);
  return { separator, margin, indent: indent.startsWith(margin) ? indent.slice(margin.length) : indent };
}

const LONGEST_INDENT = 200;

function spaceBefore(text: string, offset: number): string {
  return /\s*$/u.exec(text.slice(Math.max(0, offset - LONGEST_INDENT), offset))?.[0] ?? '';
}

function print(message: unknown, { margin, indent }: Style): string {
  if (margin === null) return JSON.stringify(message);
  // JSON output has no newline inside a string, so its lines can be indented as text.
  return JSON.stringify(message, null, 1).replace(
    /\n( *)/gu,
    (_line, depth: string) => `\n${margin}${indent.repeat(depth.length)}`,
  );
}
