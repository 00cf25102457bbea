import { numberIn } from './cell.ts';
import type { Connection } from './connection.ts';

/** Size of the file in bytes. Inside a transaction, the size that a commit would give it. */
export function fileBytes(connection: Connection): number {
  return pragma(connection, 'page_count') * pragma(connection, 'page_size');
}

/** Size of the pages in use: the size of the file once it is shrunk. */
export function usedBytes(connection: Connection): number {
  const pages = pragma(connection, 'page_count') - pragma(connection, 'freelist_count');
  return pages * pragma(connection, 'page_size');
}

function pragma({ sql }: Connection, name: 'page_count' | 'page_size' | 'freelist_count'): number {
  return numberIn(sql(`PRAGMA ${name}`).get()?.[name]);
}
