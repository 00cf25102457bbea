import { contentHash } from '../../src/core/conversation/hash.ts';
import { readShipped } from './read-labelled.ts';
import { tablesOf } from './table.ts';

/**
 * A hash of all features of all shipped sessions. Weights hold only for features that are computed as they were when the weights were learned, so
 * the weights carry it and a test compares.
 */
export function featureFingerprint(): string {
  const hashes = readShipped().sessions.map((session) => {
    const { passages, terms } = tablesOf(session);
    return [passages, terms].map(({ names, columns }) =>
      names.map((name, at) => contentHash(`${name} ${(columns[at] ?? []).join()}`)).join(' '),
    );
  });
  return contentHash(hashes.flat().join('\n'));
}
