import type { SQLOutputValue } from 'node:sqlite';

/**
 * A text as SQLite stores it. TEXT is UTF-8, which has no lone surrogates, and tools end it at the first NUL; texts with either become UTF-16 in a
 * BLOB. All others stay readable with any SQLite tool.
 */
export type Cell = string | Uint8Array;

export function toCell(text: string): Cell {
  return isPlain(text) ? text : Buffer.from(text, 'utf16le');
}

export function fromCell(cell: Cell): string {
  return typeof cell === 'string'
    ? cell
    : Buffer.from(cell.buffer, cell.byteOffset, cell.byteLength).toString('utf16le');
}

/** Bytes that identify a text: no two texts share them, because only UTF-16 starts with a zero. */
export function toBytes(text: string): Buffer {
  return isPlain(text) ? Buffer.from(text, 'utf8') : Buffer.concat([MARK, Buffer.from(text, 'utf16le')]);
}

export function fromBytes(bytes: Buffer): string {
  return bytes[0] === 0 ? bytes.toString('utf16le', 1) : bytes.toString('utf8');
}

const MARK = Buffer.of(0);

function isPlain(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

/** For columns whose type the schema fixes. Any other type means that somebody else changed the file. */
export function numberIn(value: SQLOutputValue | undefined): number {
  if (typeof value === 'number') return value;
  throw new TypeError(`Expected a number in the row, got ${typeof value}`);
}

export function cellIn(value: SQLOutputValue | undefined): Cell {
  if (typeof value === 'string' || value instanceof Uint8Array) return value;
  throw new TypeError(`Expected a text in the row, got ${typeof value}`);
}

export function textIn(value: SQLOutputValue | undefined): string {
  if (typeof value === 'string') return value;
  throw new TypeError(`Expected a text in the row, got ${typeof value}`);
}
