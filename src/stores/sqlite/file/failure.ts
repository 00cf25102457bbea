import { PrecisError } from '../../../core/errors.ts';

/** SQLite result codes; an extended code holds one of them in its last byte. */
const BUSY = 5;
const LOCKED = 6;
const READONLY = 8;
const IOERR = 10;
const CORRUPT = 11;
const FULL = 13;
const CANTOPEN = 14;
const NOTADB = 26;

/** One sentence per result code, with advice for the caller. */
const SENTENCES: ReadonlyMap<number, string> = new Map([
  [BUSY, 'is busy: another process keeps writing to it; try again, or give it more time with `busyMs`'],
  [LOCKED, 'is busy: another process keeps writing to it; try again, or give it more time with `busyMs`'],
  [READONLY, 'may not be written: the file or its folder is read-only. What is in it can be read'],
  [
    IOERR,
    'could not be read or written by the system: the disk is full or fails, or a limit on the size of files was met',
  ],
  [CORRUPT, 'is damaged: restore it from a copy'],
  [FULL, 'cannot grow: the disk is full. Nothing of this was written; what is in the file can be read'],
  [CANTOPEN, 'cannot be opened, or the files beside it cannot be made: look at the folder and at its permissions'],
  [NOTADB, 'is not a SQLite file, or it is damaged; it was left as it is'],
]);

/** The part of a `node:sqlite` error that is used here. */
interface SqliteError extends Error {
  /** Extended result code. */
  readonly errcode: number;
}

export function isBusy(error: unknown): boolean {
  const code = resultCode(error);
  return code === BUSY || code === LOCKED;
}

export function isNoDatabase(error: unknown): boolean {
  return resultCode(error) === NOTADB;
}

/** True when SQLite could not create its other files, which even a reader needs. */
export function isClosedFolder(error: unknown): boolean {
  const code = resultCode(error);
  return code === CANTOPEN || code === READONLY;
}

/** Turns errors of SQLite and the file system into one sentence with the file's name; other errors are bugs and pass through. */
export function asStoreError(error: unknown, file: string): unknown {
  const code = resultCode(error);
  if (code !== null) {
    const text = SENTENCES.get(code) ?? 'failed';
    return storeError(file, `${text} (SQLite: ${(error as SqliteError).message})`, { sqlite: code, cause: error });
  }
  if (error instanceof Error && 'code' in error && error.code === 'ERR_INVALID_STATE')
    return storeError(file, 'was closed meanwhile; open the context again', { cause: error });
  if (error instanceof Error && 'syscall' in error && 'code' in error && !PrecisError.is(error))
    return storeError(file, `cannot be used: ${error.message}`, { system: error.code, cause: error });
  return error;
}

/** `text` continues the sentence "The store FILE …". `cause` is the original error, and all other details become data. */
export function storeError(
  file: string,
  text: string,
  { cause, ...data }: Readonly<Record<string, unknown>> = {},
): PrecisError {
  return new PrecisError('store', `The store ${file} ${text}`, { file, ...data }, cause);
}

function resultCode(error: unknown): number | null {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return null;
  return error.errcode & 0xff;
}
