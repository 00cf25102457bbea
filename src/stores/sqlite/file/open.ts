import { randomBytes } from 'node:crypto';
import { chmodSync, closeSync, existsSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import type { ResolvedOptions } from '../options.ts';
import { type Cell, cellIn } from './cell.ts';
import { encryptedSeal, plainSeal, SALT_BYTES, type Seal } from './crypt.ts';
import { isClosedFolder, isNoDatabase, storeError } from './failure.ts';
import { APPLICATION_ID, isNew, migrate, readPragma } from './schema.ts';

export interface OpenFile {
  readonly database: DatabaseSync;
  readonly seal: Seal;
}

/** SQLite itself waits this long, which blocks the event loop; longer waits are ours and do not block. */
const BUSY_STEP_MS = 25;
/** The write-ahead log is cut back to this size after a large batch. */
const LOG_BYTES = 2 ** 24;
const OWNER_ONLY = 0o600;

/** Opens the file, and creates it if necessary. Throws the errors of SQLite and the system: the caller retries while the file is busy. */
export async function openFile(file: string, options: ResolvedOptions): Promise<OpenFile> {
  makeFile(file);
  const { DatabaseSync: Database } = await import('node:sqlite');
  refuseForeign(file, Database);
  const database = openDatabase(file, Database);
  try {
    return { database, seal: await prepare(database, file, options) };
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Creates the file for the owner only, whatever the umask. SQLite gives its other files the same mode. An existing file keeps its mode. */
function makeFile(file: string): void {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found?.isDirectory()) throw storeError(file, 'is a folder; give the path of a file');
  if (found !== undefined) return;
  if (!existsSync(dirname(file))) throw storeError(file, 'cannot be made: its folder does not exist');
  try {
    closeSync(openSync(file, 'wx', OWNER_ONLY));
    chmodSync(file, OWNER_ONLY);
  } catch (error) {
    // Another process created it at the same moment.
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}

/**
 * Reads the header first: opening for writes would fold in the log of another program's file. SQLite has to read it: closing a handle of our own
 * would drop the locks that this process holds on the file through another store.
 */
function refuseForeign(file: string, Database: typeof DatabaseSync): void {
  const header = openFrozen(file, Database);
  let application = APPLICATION_ID;
  try {
    application = readPragma(header, 'application_id');
  } catch (error) {
    // Without its log or journal, a file in use is incomplete, and so is one whose writer died. Only "no database" is certain.
    if (isNoDatabase(error) && !existsSync(`${file}-journal`)) throw error;
  } finally {
    header.close();
  }
  if (application !== 0 && application !== APPLICATION_ID)
    throw storeError(file, 'is a SQLite file of another program; it was left as it is', { application });
}

/** Opens the file as it is, without locks and without its log. */
function openFrozen(file: string, Database: typeof DatabaseSync): DatabaseSync {
  const address = pathToFileURL(file);
  address.searchParams.set('immutable', '1');
  return new Database(address, { readOnly: true });
}

function openDatabase(file: string, Database: typeof DatabaseSync): DatabaseSync {
  const database = new Database(file, { timeout: BUSY_STEP_MS });
  try {
    database.prepare('SELECT count(*) FROM sqlite_schema').get();
    return database;
  } catch (error) {
    database.close();
    // The folder takes no new files and there is no log: the file alone is everything.
    if (!isClosedFolder(error) || existsSync(`${file}-wal`)) throw error;
    return openFrozen(file, Database);
  }
}

async function prepare(database: DatabaseSync, file: string, { key, synchronous }: ResolvedOptions): Promise<Seal> {
  // Derives the key before the transaction: nothing may wait inside one.
  const salt = randomBytes(SALT_BYTES);
  const fresh = key !== null && isNew(database, file) ? await encryptedSeal(file, key, salt) : null;
  const keepSalt = (): void => {
    if (fresh === null) return;
    const insert = database.prepare('INSERT INTO meta (name, value) VALUES (?, ?)');
    insert.run('salt', salt);
    insert.run('check', fresh.write(CHECK, 'check'));
  };
  migrate(database, file, { onNew: keepSalt });
  database.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = ${synchronous};
    PRAGMA fullfsync = ${synchronous === 'full' ? 1 : 0};
    PRAGMA journal_size_limit = ${LOG_BYTES};
    PRAGMA temp_store = MEMORY;
    PRAGMA trusted_schema = OFF;
  `);
  const kept = metaOf(database, 'salt');
  if (fresh !== null && kept !== null && salt.equals(kept as Uint8Array)) return fresh;
  return sealOf(database, file, { key, salt: kept });
}

const CHECK = 'precis';

async function sealOf(
  database: DatabaseSync,
  file: string,
  { key, salt }: { readonly key: string | null; readonly salt: Cell | null },
): Promise<Seal> {
  if (salt === null && key === null) return plainSeal;
  if (key === null) throw storeError(file, 'is encrypted: give the key it was made with');
  if (salt === null || typeof salt === 'string')
    throw storeError(file, 'is not encrypted, though a key was given: leave the key out, or take a new file');
  const seal = await encryptedSeal(file, key, salt);
  try {
    if (seal.read(metaOf(database, 'check') ?? '', 'check') === CHECK) return seal;
  } catch {
    // Reported below.
  }
  throw storeError(file, 'was encrypted with another key than the one given');
}

function metaOf(database: DatabaseSync, name: string): Cell | null {
  const row = database.prepare('SELECT value FROM meta WHERE name = ?').get(name);
  return row === undefined ? null : cellIn(row['value']);
}
