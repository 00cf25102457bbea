import type { SQLOutputValue } from 'node:sqlite';
import type { Piece, StoredEvent, StoredMessage, StoredState } from '../../context/store/store.ts';
import { cellIn, numberIn, textIn } from './file/cell.ts';
import type { Connection } from './file/connection.ts';

/** The two tables of pieces, which have the same columns. */
export type PieceTable = 'messages' | 'events';

/** Adds a piece to its table. The file keeps each content once, however often it occurs. */
export function insertPiece(
  connection: Connection,
  at: { readonly table: PieceTable; readonly context: number; readonly seq: number },
  piece: Piece & { readonly at: number },
): void {
  const { table, context, seq } = at;
  const contents = piece.contents.map((text) => intern(connection, context, text));
  connection
    .sql(`INSERT INTO ${table} (context, seq, at, body, contents) VALUES (?, ?, ?, ?, ?)`)
    .run(context, seq, piece.at, connection.seal.write(piece.body, placeOf(at)), JSON.stringify(contents));
}

function intern({ sql, seal }: Connection, context: number, text: string): number {
  const hash = seal.hash(text);
  const known = sql('SELECT id FROM contents WHERE hash = ?').get(hash);
  const id =
    known === undefined
      ? Number(
          sql('INSERT INTO contents (hash, text) VALUES (?, ?)').run(hash, seal.write(text, contentPlace(hash)))
            .lastInsertRowid,
        )
      : numberIn(known['id']);
  sql('INSERT OR IGNORE INTO uses (context, content) VALUES (?, ?)').run(context, id);
  return id;
}

/** Call in a transaction, so that messages, events and state belong together. */
export function loadPieces(
  connection: Connection,
  context: number,
  after: { messages: number; events: number },
): StoredState {
  const read = pieceReader(connection);
  const rows = (table: PieceTable, from: number) =>
    connection
      .sql(`SELECT seq, at, body, contents FROM ${table} WHERE context = ? AND seq >= ? ORDER BY seq`)
      .all(context, from)
      .map((row) => read(row, table, context));
  const state = connection.sql('SELECT state FROM contexts WHERE id = ?').get(context)?.['state'] ?? null;
  return {
    messages: rows('messages', after.messages).map((piece): StoredMessage => ({ ...piece, chunks: [] })),
    events: rows('events', after.events),
    state: state === null ? null : connection.seal.read(cellIn(state), statePlace(context)),
  };
}

export function messagesAt(
  connection: Connection,
  context: number,
  indexes: readonly number[],
): readonly StoredMessage[] {
  const read = pieceReader(connection);
  const one = connection.sql('SELECT seq, at, body, contents FROM messages WHERE context = ? AND seq = ?');
  return indexes.flatMap((index) => {
    const row = one.get(context, index);
    return row === undefined ? [] : { ...read(row, 'messages', context), chunks: [] };
  });
}

/** Reads rows, and reads every content only once, however many rows use it. */
function pieceReader({ sql, seal }: Connection) {
  const known = new Map<number, string>();
  const one = sql('SELECT hash, text FROM contents WHERE id = ?');
  const contentOf = (id: number): string => {
    const found = known.get(id);
    if (found !== undefined) return found;
    const row = one.get(id);
    const text = seal.read(cellIn(row?.['text']), contentPlace(cellIn(row?.['hash'])));
    known.set(id, text);
    return text;
  };
  return (row: Readonly<Record<string, SQLOutputValue>>, table: PieceTable, context: number): StoredEvent => ({
    body: seal.read(cellIn(row['body']), placeOf({ table, context, seq: numberIn(row['seq']) })),
    contents: (JSON.parse(textIn(row['contents'])) as readonly number[]).map(contentOf),
    at: numberIn(row['at']),
  });
}

export function statePlace(context: number): string {
  return `state ${context}`;
}

function placeOf({ table, context, seq }: { table: PieceTable; context: number; seq: number }): string {
  return `${table} ${context} ${seq}`;
}

function contentPlace(hash: string | Uint8Array): string {
  return `content ${Buffer.from(hash).toString('hex')}`;
}
