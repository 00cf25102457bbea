import { PrecisError } from '../core/errors.ts';
import { badFile } from './bad-file.ts';

/** The text of a session file. Throws an error that names the kind of file for anything else. */
export function textOfBytes(bytes: Uint8Array, name: string): string {
  checkBytes(bytes, name);
  try {
    return decode(bytes);
  } catch (error) {
    const line = firstBrokenLine(bytes);
    const sentence = `${name}: line ${line}: expected text in UTF-8, got bytes that are not`;
    throw new PrecisError('bad-input', sentence, { file: name, line }, error);
  }
}

/** Throws when the first bytes are those of another kind of file. */
export function checkBytes(bytes: Uint8Array, name: string): void {
  const other = kindOfBytes(bytes);
  if (other !== null) throw badFile(name, `expected text in UTF-8, got ${other}`);
}

/** Keeps the byte order mark, so that an unedited document is written back with it. */
function decode(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
}

const SIGNATURES: readonly (readonly [name: string, ...bytes: number[]])[] = [
  ['UTF-16; save it as UTF-8', 0xff, 0xfe],
  ['UTF-16; save it as UTF-8', 0xfe, 0xff],
  ['a gzip archive; unpack it first', 0x1f, 0x8b],
  ['a zip archive; unpack it first', 0x50, 0x4b, 0x03, 0x04],
  ['a zstd archive; unpack it first', 0x28, 0xb5, 0x2f, 0xfd],
  ['an SQLite database', 0x53, 0x51, 0x4c, 0x69, 0x74, 0x65, 0x20, 0x66],
];
/** Bytes searched for a zero, which no text holds. */
const LOOKED_AT = 8192;

function kindOfBytes(bytes: Uint8Array): string | null {
  for (const [name, ...signature] of SIGNATURES)
    if (signature.every((byte, index) => bytes[index] === byte)) return name;
  if (!bytes.subarray(0, LOOKED_AT).includes(0)) return null;
  // JSON opens with two ASCII characters, so in UTF-16 every second of the first four bytes is zero.
  const zeros = [...bytes.subarray(0, 4)].map((byte) => (byte === 0 ? '0' : 'x')).join('');
  return zeros === 'x0x0' || zeros === '0x0x' ? 'UTF-16; save it as UTF-8' : 'a binary file';
}

function firstBrokenLine(bytes: Uint8Array): number {
  let line = 1;
  for (let at = 0; at < bytes.length; line++) {
    const newline = bytes.indexOf(0x0a, at);
    const end = newline < 0 ? bytes.length : newline;
    try {
      decode(bytes.subarray(at, end));
    } catch {
      return line;
    }
    at = end + 1;
  }
  return line;
}
