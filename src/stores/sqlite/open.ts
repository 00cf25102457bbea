import { randomBytes } from 'node:crypto';
import { chmodSync, closeSync, existsSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { type Cell, cellIn } from './cell.ts';
import { encryptedSeal, plainSeal, SALT_BYTES, type Seal } from './crypt.ts';
import { isClosedFolder, isNoDatabase, storeError } from './failure.ts';
import type { ResolvedOptions } from './options.ts';
import { APPLICATION_ID, isNew, migrate, numberOf } from './schema.ts';

export interface OpenFile {
  readonly database: DatabaseSync;
  readonly seal: Seal;
}

/** SQLite itself waits this long, which stops the event loop; longer waits are ours and do not. */
const BUSY_STEP_MS = 25;
/** Cut back to this size after a large batch. */
const LOG_BYTES = 2 ** 24;
const OWNER_ONLY = 0o600;

/** Opens the file, and makes it when there is none. Errors are those of SQLite and the system: a caller tries again while it is busy. */
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

/** For the owner alone, whatever the umask. SQLite gives the files beside it the same mode. A file that is there keeps its own. */
function makeFile(file: string): void {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found?.isDirectory()) throw storeError(file, 'is a folder; give the path of a file');
  if (found !== undefined) return;
  if (!existsSync(dirname(file))) throw storeError(file, 'cannot be made: its folder does not exist');
  try {
    closeSync(openSync(file, 'wx', OWNER_ONLY));
    chmodSync(file, OWNER_ONLY);
  } catch (error) {
    // Another process made it at the same moment.
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}

/**
 * Looks at the header before anything that writes is opened, which would fold in the log of a file that is not ours. SQLite itself has to
 * do it: a handle of our own would, when it is closed, drop the locks that this process has on the file through another store.
 */
function refuseForeign(file: string, Database: typeof DatabaseSync): void {
  const header = openFrozen(file, Database);
  let application = APPLICATION_ID;
  try {
    application = numberOf(header, 'application_id');
  } catch (error) {
    // Without its log or journal a file in use is not whole, and neither is one whose writer died. Only that it is no database is sure.
    if (isNoDatabase(error) && !existsSync(`${file}-journal`)) throw error;
  } finally {
    header.close();
  }
  if (application !== 0 && application !== APPLICATION_ID)
    throw storeError(file, 'is a SQLite file of another program; it was left as it is', { application });
}

/** The file as it is, without locks and without the log beside it. */
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
    // A folder in which no file can be made, and no log to read: the file alone is all there is.
    if (!isClosedFolder(error) || existsSync(`${file}-wal`)) throw error;
    return openFrozen(file, Database);
  }
}

async function prepare(database: DatabaseSync, file: string, { key, synchronous }: ResolvedOptions): Promise<Seal> {
  // Derived before the transaction: nothing may wait inside one.
  const salt = randomBytes(SALT_BYTES);
  const fresh = key !== null && isNew(database, file) ? await encryptedSeal(file, key, salt) : null;
  migrate(database, file, () => {
    if (fresh === null) return;
    const insert = database.prepare('INSERT INTO meta (name, value) VALUES (?, ?)');
    insert.run('salt', salt);
    insert.run('check', fresh.write(CHECK, 'check'));
  });
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
  return sealOf(database, file, key, kept);
}

const CHECK = 'precis';

async function sealOf(database: DatabaseSync, file: string, key: string | null, salt: Cell | null): Promise<Seal> {
  if (salt === null && key === null) return plainSeal;
  if (key === null) throw storeError(file, 'is encrypted: give the key it was made with');
  if (salt === null || typeof salt === 'string')
    throw storeError(file, 'is not encrypted, though a key was given: leave the key out, or take a new file');
  const seal = await encryptedSeal(file, key, salt);
  try {
    if (seal.read(metaOf(database, 'check') ?? '', 'check') === CHECK) return seal;
  } catch {
    // Said below.
  }
  throw storeError(file, 'was encrypted with another key than the one given');
}

function metaOf(database: DatabaseSync, name: string): Cell | null {
  const row = database.prepare('SELECT value FROM meta WHERE name = ?').get(name);
  return row === undefined ? null : cellIn(row['value']);
}
