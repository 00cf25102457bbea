/** Something that every implementation must obey. It needs no test runner. */
export interface Law {
  /** A sentence, for the name of a test. */
  readonly name: string;
  /** Throws when the law is broken. */
  run(): void;
}

/** A law whose subject may be asynchronous. It needs no test runner. */
export interface AsyncLaw {
  /** A sentence, for the name of a test. */
  readonly name: string;
  /** Throws or rejects when the law is broken. */
  run(): void | Promise<void>;
}

export function must(holds: boolean, text: string): void {
  if (!holds) throw new Error(text);
}

/** A part or message as text to compare, without its wire objects. */
export function withoutWire(value: unknown): string {
  return JSON.stringify(value, (key, item: unknown) => (key === 'raw' || key === 'base' ? undefined : item));
}
