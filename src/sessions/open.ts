import { open } from 'node:fs/promises';
import { PrecisError } from '../core/errors.ts';
import { readSession, type SessionDocument } from './generic.ts';
import { badFile } from './parse.ts';
import { textOfBytes } from './text.ts';

export interface OpenOptions {
  /** Id of the format, when it is not to be found by content. */
  readonly format?: string;
}

/** Reads a session from a file, or from standard input when the path is `-`. */
export async function openSessionFile(path: string, options: OpenOptions = {}): Promise<SessionDocument> {
  return readSession(await readSessionText(path), { name: sessionName(path), ...options });
}

/** The text of a session file, or of standard input when the path is `-`. */
export async function readSessionText(path: string): Promise<string> {
  const name = sessionName(path);
  return textOfBytes(path === '-' ? await readStandardInput(name) : await readBytes(path), name);
}

/** What errors call the place a session comes from. */
export function sessionName(path: string): string {
  return path === '-' ? 'standard input' : path;
}

/** What one string can hold in V8, 24 bytes short of 512 MiB. Larger files cannot be parsed in one piece. */
const MAX_BYTES = 0x1fff_ffe8;

async function readBytes(path: string): Promise<Uint8Array> {
  try {
    const file = await open(path);
    try {
      const { size } = await file.stat();
      if (size > MAX_BYTES) throw tooLarge(path, size);
      return await file.readFile();
    } finally {
      await file.close();
    }
  } catch (error) {
    throw PrecisError.is(error) ? error : unreadable(path, error);
  }
}

async function readStandardInput(name: string): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of process.stdin) {
    const bytes: Uint8Array = typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk;
    size += bytes.length;
    if (size > MAX_BYTES) throw tooLarge(name, size);
    chunks.push(bytes);
  }
  return Buffer.concat(chunks, size);
}

function tooLarge(name: string, size: number): PrecisError {
  const megabytes = Math.ceil(size / 1_048_576);
  return badFile(name, `expected a file below 512 MiB, got at least ${megabytes} MiB`);
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'expected a session file, but there is none of that name',
  EISDIR: 'expected a session file, got a directory',
  ENOTDIR: 'expected a session file, but a part of its path is no directory',
  EACCES: 'expected a file that may be read, but permission is denied',
  EPERM: 'expected a file that may be read, but permission is denied',
};

function unreadable(path: string, error: unknown): PrecisError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  const reason = REASONS[code] ?? `expected a file that can be read, but reading failed (${code})`;
  return new PrecisError('bad-input', `${path}: ${reason}`, { file: path, reason: code }, error);
}
