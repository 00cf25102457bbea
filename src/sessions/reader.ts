import type { DecodeNote } from '../core/format.ts';

/**
 * The port that every reader of an agent's log implements: a plain value that takes values, one per line, and never touches the disk. It reads a log
 * in one pass and only holds what it keeps.
 */
export interface SessionReader {
  /** Unique, e.g. `claude-code`. */
  readonly id: string;
  /** Name for people, e.g. `a log of Claude Code`. */
  readonly title: string;
  /** True when the log is this agent's. Reads the structure only, never the name of a file. */
  detect(head: SessionHead): boolean;
  /** Starts reading: the lines of a file, the single value of a JSON document, or the files of a folder. */
  start(options: ReaderOptions): LogCollector;
  /** For agents that keep sessions in an SQLite database; absent for all others. */
  readonly database?: DatabaseReader;
}

/** The beginning of a log, by which a reader recognises its own. */
export type SessionHead =
  | { readonly type: 'lines'; readonly values: readonly unknown[] }
  | { readonly type: 'document'; readonly value: unknown }
  | { readonly type: 'folder'; readonly values: readonly unknown[] }
  | { readonly type: 'database'; readonly tables: readonly string[] };

/** Options that all readers share. */
export interface ReaderOptions {
  /**
   * Reads only the messages that the agent's model saw after its last compaction, instead of the whole history.
   * @default false: precis compacts the history, and the agent's summary has already lost part of it
   */
  readonly sinceCompaction?: boolean;
  /** Which run to read when a file holds several, from 1. @default 1 */
  readonly run?: number;
  /** Id of the session in a database. @default the newest session */
  readonly session?: string;
}

/** Takes the values of a log, one after another. */
export interface LogCollector {
  /** Takes the next value. `line` is the number of the line, or of the file in a folder, from 1. */
  add(value: unknown, line: number): void;
  /** Returns the log. Called once, after the last value. */
  end(): SessionLog;
}

/** A log as a reader understood it: messages of a wire format, and facts about them. */
export interface SessionLog {
  /** The format of `messages`. */
  readonly format: 'openai-chat' | 'anthropic';
  /** The messages in order. `openSessionFile` decodes them and pairs calls with results. */
  readonly messages: readonly LogMessage[];
  /** Facts about the whole session. */
  readonly meta: SessionMeta;
  /** Everything the reader left out or repaired. */
  readonly notes: readonly SessionNote[];
}

/** A message of a log. */
export interface LogMessage {
  /** The message as the format writes it. */
  readonly wire: Readonly<Record<string, unknown>>;
  /** Facts the log holds about it; empty when there are none. */
  readonly record: MessageRecord;
}

/** Facts that the log holds about one message. An assistant message is one request, so its record describes the request. */
export interface MessageRecord {
  /** Time of the message, ISO 8601. */
  readonly timestamp?: string;
  /** Id of the model that answered, as the log names it. */
  readonly model?: string;
  /** Absent when the log counts nothing for this message. */
  readonly usage?: SessionUsage;
  /** True for a summary that the agent's own compaction left. */
  readonly isSummary?: boolean;
}

/** Tokens of one request, as the provider counted them. */
export interface SessionUsage {
  /** All input tokens, including those read from the cache and written to it. */
  readonly inputTokens: number;
  /** Input tokens read from the cache; 0 when the log does not count them. */
  readonly cachedInputTokens: number;
  /** Input tokens written to the cache; 0 when the log does not count them. */
  readonly cacheWriteTokens: number;
  /** Output tokens, including reasoning. */
  readonly outputTokens: number;
}

/** Facts about a session. An absent field is unknown. */
export interface SessionMeta {
  /** The agent's id of the session. */
  readonly id?: string;
  /** The agent's title, or the user's. */
  readonly title?: string;
  /** Folder the agent worked in. */
  readonly cwd?: string;
  /** Time of the first message, ISO 8601. */
  readonly startedAt?: string;
  /** Time of the last message, ISO 8601. */
  readonly endedAt?: string;
  /** Ids of the models that answered, in order of appearance. */
  readonly models: readonly string[];
  /** How often the agent compacted the session itself. */
  readonly compactions: number;
}

/** Something left out or repaired while reading: in a message, in a line, or in the whole log. */
export type SessionNote =
  | DecodeNote
  | { readonly line: number; readonly text: string }
  | { readonly text: string; readonly line?: undefined; readonly message?: undefined };

/** The note as a sentence, with its message or line counted from 1. */
export function noteText(note: SessionNote): string {
  if ('message' in note && note.message !== undefined) return `message ${note.message + 1}: ${note.text}`;
  return 'line' in note && note.line !== undefined ? `line ${note.line}: ${note.text}` : note.text;
}

/** A database opened read-only. */
export interface SessionDatabase {
  /** Names of all tables and views. */
  readonly tables: readonly string[];
  /** Column names of a table; empty for an unknown table. */
  columns(table: string): readonly string[];
  /** Runs a query; `values` take the place of its question marks. */
  rows(sql: string, ...values: readonly (string | number)[]): Iterable<Readonly<Record<string, unknown>>>;
}

/** How a reader reads its agent's database. */
export interface DatabaseReader {
  /** Reads one session: the one that `options.session` names, else the newest. */
  read(database: SessionDatabase, options: ReaderOptions): SessionLog;
  /** Every session a person could mean, newest first. Sessions of subagents are left out. */
  list(database: SessionDatabase): readonly ListedSession[];
}

/** A session in a database. */
export interface ListedSession {
  /** Takes the place of `ID` in `PATH#ID`. */
  readonly id: string;
  /** ISO 8601; absent when the database does not say. */
  readonly updatedAt?: string;
}
