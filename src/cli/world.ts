import { readdir, stat } from 'node:fs/promises';
import {
  type FoundSession,
  findSessions,
  type OpenOptions,
  openSessionFile,
  readSessionText,
  type SessionDocument,
} from '../sessions/index.ts';
import { makeFolder } from './disk/make-folder.ts';
import { writeWhole } from './disk/write-whole.ts';

/** The screen that shows a stream of text. */
export interface Screen {
  /** True when a person reads it. */
  readonly isTerminal: boolean;
  readonly colors: boolean;
  /** Width in columns. */
  readonly columns: number;
}

export type PathKind = 'none' | 'file' | 'directory' | 'other';

/** Everything outside the program that a command may touch. Tests pass their own. */
export interface World {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly outScreen: Screen;
  readonly errScreen: Screen;
  /** Milliseconds since some fixed moment. */
  readonly now: () => number;
  kindOf(path: string): Promise<PathKind>;
  /** The names in a folder, in no particular order. */
  list(folder: string): Promise<readonly string[]>;
  /** The text of a file. */
  read(path: string): Promise<string>;
  /** A session from a file, a folder, a database, or standard input when the path is `-`. */
  open(path: string, options: OpenOptions): Promise<SessionDocument>;
  /** Sessions in the usual places of the agents, or in a folder, newest first. */
  find(folder?: string): Promise<readonly FoundSession[]>;
  /** Writes the whole file or nothing. Rejects when the file exists, unless `replace` allows it. */
  write(path: string, text: string, options: { readonly replace: boolean }): Promise<void>;
  /** Makes the folder and any missing folders above it. */
  makeFolder(path: string): Promise<void>;
}

export function realWorld(): World {
  const { stdout, stderr, stdin } = process;
  return {
    out: (text) => void stdout.write(text),
    err: (text) => void stderr.write(text),
    outScreen: screenOf(stdout),
    errScreen: screenOf(stderr),
    now: () => performance.now(),
    kindOf,
    list: (folder) => readdir(folder),
    read: readSessionText,
    open: (path, options) => {
      if (path === '-' && stdin.isTTY === true)
        stderr.write('Reading a session from standard input; end it with Ctrl-D.\n');
      return openSessionFile(path, options);
    },
    find: (folder) => findSessions(folder === undefined ? {} : { folder }),
    write: writeWhole,
    makeFolder,
  };
}

const USUAL_COLUMNS = 80;

function screenOf(stream: NodeJS.WriteStream): Screen {
  const isTerminal = stream.isTTY === true;
  const { NO_COLOR: noColor, TERM: terminal } = process.env as Readonly<Record<string, string | undefined>>;
  return {
    isTerminal,
    colors: isTerminal && (noColor === undefined || noColor === '') && terminal !== 'dumb',
    columns: stream.columns ?? USUAL_COLUMNS,
  };
}

async function kindOf(path: string): Promise<PathKind> {
  const found = await stat(path).catch(() => null);
  if (found === null) return 'none';
  if (found.isDirectory()) return 'directory';
  return found.isFile() ? 'file' : 'other';
}
