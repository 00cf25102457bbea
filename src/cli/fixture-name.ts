import { basename, dirname } from 'node:path';

/** `NAME/session.json` is called NAME, other files as they are called. */
export function fixtureName(path: string): string {
  if (path === '-') return 'session';
  const own = basename(path).replace(/\.(?:jsonl?|ndjson)$/i, '');
  const folder = basename(dirname(path));
  return own === 'session' && !['', '.', '..'].includes(folder) ? folder : own;
}
