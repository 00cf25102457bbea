import type { DecodeNote } from '../core/format.ts';

/**
 * The port every reader of an agent's log implements: a plain value that takes values, one a line, and touches no disk. A log is read in
 * one pass, so that what is not kept is never held.
 */
export interface SessionReader {
  readonly id: string;
  /** Name for people, e.g. `a log of Claude Code`. */
  readonly title: string;
  /** True when the log is this agent's. Looks at structure alone, never at the name of a file. */
  detect(head: SessionHead): boolean;
  /** Starts a log of values: the lines of a file, the one value of a JSON document, or the files of a folder. */
  start(options: ReaderOptions): LogCollector;
  /** For agents that keep their sessions in an SQLite database. */
  readonly database?: DatabaseReader;
}

/** What a reader looks at to know its own. */
export type SessionHead =
  | { readonly type: 'lines'; readonly values: readonly unknown[] }
  | { readonly type: 'document'; readonly value: unknown }
  | { readonly type: 'folder'; readonly values: readonly unknown[] }
  | { readonly type: 'database'; readonly tables: readonly string[] };

export interface ReaderOptions {
  /**
   * What the agent's model saw after its own last compaction, instead of all that was said.
   * @default false: precis compacts the history, and an agent's summary has lost what was before it
   */
  readonly sinceCompaction?: boolean;
  /** Which run of a list of runs, from 1. @default 1 */
  readonly run?: number;
  /** Id of the session in a database. @default the newest */
  readonly session?: string;
}

export interface LogCollector {
  /** `line` is the number of the line, or of the file in a folder, from 1. */
  add(value: unknown, line: number): void;
  /** Called once, after the last value. */
  end(): SessionLog;
}

/** A log as a reader understood it: messages of a wire format, and what the log says about them. */
export interface SessionLog {
  readonly format: 'openai-chat' | 'anthropic';
  readonly messages: readonly LogMessage[];
  readonly meta: SessionMeta;
  readonly notes: readonly SessionNote[];
}

export interface LogMessage {
  readonly wire: Readonly<Record<string, unknown>>;
  readonly record: MessageRecord;
}

/** What the log says about one message. An assistant message is one request, so its record is that of the request. */
export interface MessageRecord {
  /** ISO 8601. */
  readonly timestamp?: string;
  readonly model?: string;
  readonly usage?: SessionUsage;
  /** True for the summary that a compaction of the agent itself left. */
  readonly isSummary?: boolean;
}

/** Tokens of one request as the provider counted them. */
export interface SessionUsage {
  /** All input, what was read from and written to the cache included. */
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly cacheWriteTokens: number;
  readonly outputTokens: number;
}

export interface SessionMeta {
  readonly id?: string;
  readonly title?: string;
  /** Folder the agent worked in. */
  readonly cwd?: string;
  /** ISO 8601. */
  readonly startedAt?: string;
  readonly endedAt?: string;
  /** Models that answered, in order of appearance. */
  readonly models: readonly string[];
  /** How often the agent itself compacted the session. */
  readonly compactions: number;
}

/** Something left out or mended while reading: at a message, at a line, or of the whole log. */
export type SessionNote =
  | DecodeNote
  | { readonly line: number; readonly text: string }
  | { readonly text: string; readonly line?: undefined; readonly message?: undefined };

/** The note as a sentence. */
export function noteText(note: SessionNote): string {
  if ('message' in note && note.message !== undefined) return `message ${note.message + 1}: ${note.text}`;
  return 'line' in note && note.line !== undefined ? `line ${note.line}: ${note.text}` : note.text;
}

/** A database that only answers questions; `open.ts` makes one. */
export interface SessionDatabase {
  readonly tables: readonly string[];
  columns(table: string): readonly string[];
  rows(sql: string, ...values: readonly (string | number)[]): Iterable<Readonly<Record<string, unknown>>>;
}

export interface DatabaseReader {
  read(database: SessionDatabase, options: ReaderOptions): SessionLog;
  /** Every session that a person could mean, newest first. */
  list(database: SessionDatabase): readonly ListedSession[];
}

/** A session in a database. */
export interface ListedSession {
  /** Takes the place of `ID` in `PATH#ID`. */
  readonly id: string;
  /** ISO 8601; absent when the database does not say. */
  readonly updatedAt?: string;
}
