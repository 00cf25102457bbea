import { PrecisError } from '../core/errors.ts';

/** One sentence for people. Our own errors say how to fix the problem; any other error at least says what happened. */
export function errorSentence(error: unknown): string {
  if (PrecisError.is(error)) {
    const text = error.message.replace(/^Expected `(\w+)`/, (all, option: string) =>
      FLAGS[option] === undefined ? all : `Expected \`${FLAGS[option]}\``,
    );
    return `precis: ${text.replace(/^Expected /, 'expected ')}`;
  }
  const text = error instanceof Error ? error.message : String(error);
  if (error instanceof Error && 'code' in error && 'path' in error && DISK_ERRORS.has(String(error.code)))
    return `precis: ${String(error.path)}: expected a place that can be read and written, but ${text}`;
  return `precis: unexpected error: ${text}; this is a bug, please report it with the command that was run`;
}

/** The flags that set the library's options. */
const FLAGS: Readonly<Record<string, string>> = {
  format: '--from',
  run: '--run',
  to: '--to',
  target: '--target',
  window: '--window',
  tailTokens: '--tail',
};

/** Error codes of a disk that cannot do as asked, which is not a bug of ours. */
const DISK_ERRORS: ReadonlySet<string> = new Set([
  'ENOTDIR',
  'EEXIST',
  'EISDIR',
  'EACCES',
  'EPERM',
  'EROFS',
  'ENOSPC',
  'ENOENT',
]);
