import type { DatabaseSync } from 'node:sqlite';
import { numberIn } from './cell.ts';
import { storeError } from './failure.ts';

/** `prec` in ASCII, in the header of every precis file, so that no other SQLite file is taken for one. */
export const APPLICATION_ID = 0x70726563;

/** Each context owns a range of search rows; up to 2^21 contexts stay exact in a JavaScript number. */
export const SEARCH_ROWS: number = 2 ** 32;

/** Entry n upgrades version n to n + 1. Never edit an entry: files in use were made by it. */
export const MIGRATIONS: readonly string[] = [
  `
  -- Salt and check value of an encrypted file.
  CREATE TABLE meta (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;

  -- Numbers are never given twice: who still holds a removed context must not write into a new one.
  CREATE TABLE contexts (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    key BLOB NOT NULL UNIQUE,
    name NOT NULL,
    made_at REAL NOT NULL,
    messages INTEGER NOT NULL DEFAULT 0,
    events INTEGER NOT NULL DEFAULT 0,
    chunks INTEGER NOT NULL DEFAULT 0,
    first_at REAL,
    last_at REAL,
    state,
    holder TEXT,
    pid INTEGER,
    host TEXT,
    since REAL,
    until REAL
  );

  -- Every long text once, known by its SHA-256 (keyed when encrypted).
  CREATE TABLE contents (id INTEGER PRIMARY KEY, hash BLOB NOT NULL UNIQUE, text NOT NULL);
  CREATE TABLE uses (context INTEGER NOT NULL, content INTEGER NOT NULL, PRIMARY KEY (context, content)) WITHOUT ROWID;
  CREATE INDEX uses_of_content ON uses (content);

  -- Append-only. contents is a JSON list of numbers of the table contents.
  CREATE TABLE messages (context INTEGER NOT NULL, seq INTEGER NOT NULL, at REAL NOT NULL, body NOT NULL, contents TEXT NOT NULL, UNIQUE (context, seq));
  CREATE TABLE events (context INTEGER NOT NULL, seq INTEGER NOT NULL, at REAL NOT NULL, body NOT NULL, contents TEXT NOT NULL, UNIQUE (context, seq));

  -- id = context * 2^32 + number of the chunk, the same in both.
  CREATE TABLE chunks (id INTEGER PRIMARY KEY, message INTEGER NOT NULL, chunk INTEGER NOT NULL);
  CREATE VIRTUAL TABLE search USING fts5(words, content='', contentless_delete=1, tokenize="ascii tokenchars '_'");
  `,
];

export function readPragma(database: DatabaseSync, pragma: string): number {
  return numberIn(Object.values(database.prepare(`PRAGMA ${pragma}`).get() ?? {})[0]);
}

/** True for an empty file, false for a precis file; throws for any other. */
export function isNew(database: DatabaseSync, file: string, known: number = MIGRATIONS.length): boolean {
  const application = readPragma(database, 'application_id');
  const version = readPragma(database, 'user_version');
  if (application === APPLICATION_ID && version > 0) {
    if (version <= known) return false;
    throw storeError(
      file,
      `is of version ${version}, written by a newer precis; this one knows versions up to ${known}. Update precis to open it`,
      { version, known },
    );
  }
  const tables = numberIn(database.prepare('SELECT count(*) AS n FROM sqlite_schema').get()?.['n']);
  if (application === 0 && version === 0 && tables === 0) return true;
  throw storeError(file, 'is a SQLite file of another program; it was left as it is', { application });
}

/**
 * Upgrades a file to the newest version in one transaction, and calls `onNew` in it when the file was empty. It checks again inside the transaction,
 * because another process may have been faster.
 */
export function migrate(
  database: DatabaseSync,
  file: string,
  { onNew, migrations = MIGRATIONS }: { readonly onNew: () => void; readonly migrations?: readonly string[] },
): void {
  if (!isNew(database, file, migrations.length) && readPragma(database, 'user_version') === migrations.length) return;
  database.exec('BEGIN IMMEDIATE');
  try {
    const wasNew = isNew(database, file, migrations.length);
    for (const step of migrations.slice(readPragma(database, 'user_version'))) database.exec(step);
    database.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${migrations.length}`);
    if (wasNew) onNew();
    database.exec('COMMIT');
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}
