/** What went wrong, as a word a program can switch on. */
export type PrecisErrorCode =
  | 'bad-option'
  | 'bad-input'
  | 'unknown-format'
  | 'unsound'
  | 'aborted'
  | 'internal'
  /** Somebody else writes to this context, or the lease was lost. */
  | 'locked'
  /** A store could not be read or written: disk full, no permission, damaged, of a newer version. */
  | 'store';

/**
 * The one error class. Thrown for bad options, unreadable input and aborts; never for a summary that failed or
 * a conversation that cannot shrink: those are outcomes.
 */
export class PrecisError extends Error {
  readonly code: PrecisErrorCode;
  readonly data: Readonly<Record<string, unknown>>;

  // biome-ignore lint/complexity/useMaxParams: as `Error` has it, the two that everybody gives first
  constructor(code: PrecisErrorCode, message: string, data: Readonly<Record<string, unknown>> = {}, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'PrecisError';
    this.code = code;
    this.data = data;
  }

  /** True for errors of this class, also when two copies of the package are loaded. */
  static is(error: unknown): error is PrecisError {
    return error instanceof Error && error.name === 'PrecisError' && 'code' in error;
  }
}
