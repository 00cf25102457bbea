import { documentOfLog, type SessionDocument } from './document.ts';
import { findJsonFault } from './json/fault.ts';
import type { LogCollector, ReaderOptions, SessionNote, SessionReader } from './reader.ts';
import { detectReader } from './readers.ts';

/** Lines read to find the agent: logs open with lines that only name the session. */
export const HEAD_LINES = 200;

/** A line that is not blank, parsed once; `value` is absent when it is not JSON. */
export interface ParsedLine {
  readonly number: number;
  readonly value?: unknown;
  readonly note?: string;
}

export function parseLine(text: string, number: number): ParsedLine | null {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  try {
    return { number, value: JSON.parse(trimmed) as unknown };
  } catch {
    const isCut = findJsonFault(trimmed.slice(0, LOOKED_AT))?.isTruncated === true;
    return { number, note: isCut ? 'cut off, left out' : 'not valid JSON, left out' };
  }
}

/** Characters of a broken line that are searched for the fault. */
const LOOKED_AT = 1_000_000;

/** The reader of a log that starts with these lines; null for an unknown log, or a file that is not lines. */
export function readerOfLines(head: readonly ParsedLine[], firstLine: string): SessionReader | null {
  if (opensDocument(firstLine)) return null;
  const values = head.flatMap((line) => (line.note === undefined ? [line.value] : []));
  return values.length === 0 ? null : detectReader({ type: 'lines', values });
}

/** True for a JSON document over several lines: it opens with a bracket alone, and no log line is an array. */
export function opensDocument(firstLine: string): boolean {
  return /^\s*(?:\[|\{\s*$)/.test(firstLine);
}

/** Feeds lines to a reader; a line that is not JSON becomes a note. */
export class LineLog {
  readonly #reader: SessionReader;
  readonly #collector: LogCollector;
  readonly #notes: SessionNote[] = [];

  constructor(reader: SessionReader, options: ReaderOptions) {
    this.#reader = reader;
    this.#collector = reader.start(options);
  }

  add({ number, value, note }: ParsedLine): void {
    if (note === undefined) this.#collector.add(value, number);
    else this.note(number, note);
  }

  note(line: number, text: string): void {
    this.#notes.push({ line, text });
  }

  end(name: string): SessionDocument {
    const log = this.#collector.end();
    return documentOfLog({ ...log, notes: [...this.#notes, ...log.notes] }, this.#reader, name);
  }
}
