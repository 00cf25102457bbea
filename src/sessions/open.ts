import { open, readdir, readFile, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { PrecisError } from '../core/errors.ts';
import { isStoredSession, opencode } from './agents/opencode.ts';
import { badFile } from './bad-file.ts';
import { documentOfLog, type SessionDocument } from './document.ts';
import { readSessionBytes } from './read-bytes.ts';
import type { ListedSession, ReaderOptions, SessionDatabase } from './reader.ts';
import { detectReader } from './readers.ts';
import { textOfBytes } from './utf8.ts';

/** How to read a session from disk. */
export interface OpenOptions extends ReaderOptions {
  /** Id of the format, e.g. `openai-chat`. The file is then read as messages of that format, never as a log. @default detected by content */
  readonly format?: string;
}

/**
 * Reads a session from a file, a folder of events, a database, or standard input when the path is `-`. `PATH#ID` names one session of a database. It
 * never writes to the source.
 */
export async function openSessionFile(path: string, options: OpenOptions = {}): Promise<SessionDocument> {
  const name = sessionName(path);
  if (path === '-') return readSessionBytes(bytesOf(process.stdin), { ...options, name });
  try {
    const { file, session } = await placeOf(path);
    const found = await stat(file);
    if (found.isDirectory()) return await openFolder(file, options);
    if (await isDatabase(file))
      return await openDatabase(file, session === undefined ? options : { ...options, session });
    return (await openStored(file, options)) ?? (await openFile(file, { ...options, name, bytes: found.size }));
  } catch (error) {
    throw PrecisError.is(error) ? error : unreadable(path, error);
  }
}

/** The text of a session file, or of standard input when the path is `-`. */
export async function readSessionText(path: string): Promise<string> {
  const name = sessionName(path);
  try {
    const chunks: Uint8Array[] = [];
    if (path === '-') for await (const chunk of bytesOf(process.stdin)) chunks.push(chunk);
    else chunks.push(await readFile(path));
    return textOfBytes(Buffer.concat(chunks), name);
  } catch (error) {
    throw PrecisError.is(error) ? error : unreadable(path, error);
  }
}

/** The name that errors give to a path. */
export function sessionName(path: string): string {
  return path === '-' ? 'standard input' : path;
}

/** Sessions of a database, newest first; empty for a database of another program. */
export async function listDatabase(file: string): Promise<readonly ListedSession[]> {
  return withDatabase(
    file,
    (database) => detectReader({ type: 'database', tables: database.tables })?.database?.list(database) ?? [],
  );
}

const CHUNK = 1_048_576;

async function openFile(
  path: string,
  options: OpenOptions & { readonly name: string; readonly bytes: number },
): Promise<SessionDocument> {
  const file = await open(path);
  try {
    return await readSessionBytes(file.createReadStream({ highWaterMark: CHUNK, autoClose: false }), options);
  } finally {
    await file.close();
  }
}

async function* bytesOf(stream: AsyncIterable<Uint8Array | string>): AsyncGenerator<Uint8Array> {
  for await (const chunk of stream) yield typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk;
}

/** A file with exactly this name wins over a session in a database. */
async function placeOf(path: string): Promise<{ readonly file: string; readonly session?: string }> {
  const at = path.lastIndexOf('#');
  const isThere = await stat(path).then(
    () => true,
    () => false,
  );
  return isThere || at <= 0 ? { file: path } : { file: path.slice(0, at), session: path.slice(at + 1) };
}

const SQLITE = 'SQLite format 3\0';

async function isDatabase(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(new Uint8Array(SQLITE.length), 0, SQLITE.length, 0);
    return bytesRead === SQLITE.length && new TextDecoder().decode(buffer) === SQLITE;
  } finally {
    await file.close();
  }
}

async function openDatabase(path: string, options: OpenOptions): Promise<SessionDocument> {
  return withDatabase(path, (database) => {
    const reader = detectReader({ type: 'database', tables: database.tables });
    if (reader?.database === undefined)
      throw badFile(path, 'expected a session, got an SQLite database of neither Hermes nor OpenCode');
    const sessions = reader.database.list(database);
    const [newest] = sessions;
    if (options.session === undefined && newest === undefined)
      throw badFile(path, 'expected a database with a session in it, got none');
    const log = reader.database.read(database, options);
    if (
      log.messages.length === 0 &&
      options.session !== undefined &&
      !sessions.some(({ id }) => id === options.session)
    )
      throw badFile(
        path,
        `expected the id of a session after \`#\`, got \`${options.session}\`, which is not in the database`,
      );
    const isChosen = options.session !== undefined || sessions.length < 2;
    const note = {
      text: `the database holds ${sessions.length} sessions; this is the newest, ${path}#ID takes another`,
    };
    return documentOfLog({ ...log, notes: [...(isChosen ? [] : [note]), ...log.notes] }, reader, path);
  });
}

/** Opens the database read-only. The module is loaded only here, because it is new and most sessions are files. */
async function withDatabase<Result>(path: string, use: (database: SessionDatabase) => Result): Promise<Result> {
  const { DatabaseSync } = await import('node:sqlite');
  let database: InstanceType<typeof DatabaseSync> | null = null;
  try {
    const opened = new DatabaseSync(path, { readOnly: true });
    database = opened;
    const rows = (sql: string, ...values: readonly (string | number)[]): readonly Record<string, unknown>[] =>
      opened.prepare(sql).all(...values) as Record<string, unknown>[];
    return use({
      tables: rows("SELECT name FROM sqlite_master WHERE type IN ('table', 'view')").map((row) => String(row['name'])),
      columns: (table) => rows('SELECT name FROM pragma_table_info(?)', table).map((row) => String(row['name'])),
      rows,
    });
  } catch (error) {
    if (PrecisError.is(error)) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new PrecisError(
      'bad-input',
      `${path}: expected an SQLite database that can be read, but: ${why}`,
      { file: path },
      error,
    );
  } finally {
    database?.close();
  }
}

/** Opens an OpenHands folder: its state, and the events by number. */
async function openFolder(path: string, options: OpenOptions): Promise<SessionDocument> {
  const names = await readdir(path);
  const folder = names.includes('events') ? join(path, 'events') : path;
  const events = (folder === path ? names : await readdir(folder))
    .filter((name) => /^event-\d+.*\.json$/.test(name))
    .toSorted((one, other) => eventNumber(one) - eventNumber(other) || (one < other ? -1 : 1));
  const files = [
    ...(names.includes('base_state.json') ? [join(path, 'base_state.json')] : []),
    ...events.map((name) => join(folder, name)),
  ];
  if (events.length === 0) throw badFile(path, 'expected a session file, got a directory');
  const values: unknown[] = [];
  const notes: { readonly text: string }[] = [];
  for (const file of files) {
    const value = await jsonFile(file);
    if (value === undefined) notes.push({ text: `${basename(file)}: not valid JSON, left out` });
    else values.push(value);
  }
  const reader = detectReader({ type: 'folder', values });
  if (reader === null)
    throw badFile(path, 'expected a session file, got a directory with events that are not of OpenHands');
  const collector = reader.start(options);
  values.forEach((value, index) => collector.add(value, index + 1));
  const log = collector.end();
  const id = log.meta.id ?? basename(path);
  return documentOfLog({ ...log, meta: { ...log.meta, id }, notes: [...notes, ...log.notes] }, reader, path);
}

/**
 * Opens a session of OpenCode before 1.2: `storage/session/<project>/<id>.json` names it, `storage/message/<id>/` and `storage/part/<message>/` hold
 * the rest. Null for any other file.
 */
async function openStored(path: string, options: OpenOptions): Promise<SessionDocument | null> {
  if (!/[\\/]storage[\\/]session[\\/].*\.json$/.test(resolve(path))) return null;
  const info = await jsonFile(path);
  if (!isStoredSession(info)) return null;
  const storage = resolve(path).replace(/([\\/]storage)[\\/]session[\\/].*$/, '$1');
  const messages = await jsonFolder(join(storage, 'message', basename(path, '.json')));
  const parts = await Promise.all(
    messages.map(({ name }) => jsonFolder(join(storage, 'part', basename(name, '.json')))),
  );
  const collector = opencode.start(options);
  const full = messages.map(({ value }, index) => ({
    info: value,
    parts: parts[index]?.map((part) => part.value) ?? [],
  }));
  collector.add({ info, messages: full }, 1);
  return documentOfLog(collector.end(), opencode, path);
}

/** The JSON files of a folder, by name; broken files are left out. */
async function jsonFolder(path: string): Promise<readonly { readonly name: string; readonly value: unknown }[]> {
  const names = (await readdir(path).catch(() => [])).filter((name) => name.endsWith('.json')).toSorted();
  const values = await Promise.all(names.map((name) => jsonFile(join(path, name))));
  return names.flatMap((name, index) => (values[index] === undefined ? [] : [{ name, value: values[index] }]));
}

function eventNumber(name: string): number {
  return Number(/^event-(\d+)/.exec(name)?.[1] ?? 0);
}

async function jsonFile(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as unknown;
  } catch {
    return undefined;
  }
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
  if (code === 'unknown') throw error;
  const reason = REASONS[code] ?? `expected a file that can be read, but reading failed (${code})`;
  return new PrecisError('bad-input', `${path}: ${reason}`, { file: path, reason: code }, error);
}
