import type { Candidate, IndexedChunk } from '../../core/search/search-index.ts';
import { numberIn } from './file/cell.ts';
import type { Connection } from './file/connection.ts';
import { SEARCH_ROWS } from './file/schema.ts';

/** Adds the chunks of a message to the index, the first as number `from` of its context. Returns how many were added. */
export function indexChunks(
  { sql, seal }: Connection,
  at: { readonly context: number; readonly message: number; readonly from: number },
  chunks: readonly IndexedChunk[],
): number {
  let added = 0;
  for (const [chunk, { words }] of chunks.entries()) {
    if (words.length === 0) continue;
    const id = at.context * SEARCH_ROWS + at.from + added;
    sql('INSERT INTO chunks (id, message, chunk) VALUES (?, ?, ?)').run(id, at.message, chunk);
    sql('INSERT INTO search (rowid, words) VALUES (?, ?)').run(id, words.map(seal.word).join(' '));
    added += 1;
  }
  return added;
}

/** Chunks of one context that hold any of the words, ranked by BM25. Word frequencies count over the whole file. */
export function searchChunks(
  { sql, seal }: Connection,
  context: number,
  { words, limit }: { readonly words: readonly string[]; readonly limit: number },
): readonly Candidate[] {
  if (words.length === 0 || !(limit > 0)) return [];
  // Every word is quoted, and no word of the index holds a quote: nothing in it can be taken for an operator.
  const query = [...new Set(words)].map((word) => `"${seal.word(word)}"`).join(' OR ');
  return sql(
    `SELECT chunks.message AS message, chunks.chunk AS chunk, found.score AS score
     FROM (SELECT rowid AS id, -bm25(search) AS score FROM search WHERE search MATCH ? AND rowid BETWEEN ? AND ?
           ORDER BY score DESC, id LIMIT ?) AS found
     JOIN chunks ON chunks.id = found.id ORDER BY found.score DESC, found.id`,
  )
    .all(query, ...rangeOf(context), Math.min(Math.floor(limit), Number.MAX_SAFE_INTEGER))
    .map((row) => ({
      message: numberIn(row['message']),
      chunk: numberIn(row['chunk']),
      score: numberIn(row['score']),
    }));
}

export function dropChunks({ sql }: Connection, context: number): void {
  sql('DELETE FROM search WHERE rowid BETWEEN ? AND ?').run(...rangeOf(context));
  sql('DELETE FROM chunks WHERE id BETWEEN ? AND ?').run(...rangeOf(context));
}

function rangeOf(context: number): readonly [number, number] {
  return [context * SEARCH_ROWS, (context + 1) * SEARCH_ROWS - 1];
}
