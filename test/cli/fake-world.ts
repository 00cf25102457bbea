/** A world for commands that remembers what they did. Files it does not hold are looked for on the disk. */
import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from '../../src/cli/program.ts';
import type { PathKind, Screen, World } from '../../src/cli/world.ts';
import { findSessions } from '../../src/sessions/find.ts';
import { openSessionFile, readSessionText, sessionName } from '../../src/sessions/open.ts';
import { readSessionBytes } from '../../src/sessions/read-bytes.ts';
import { textOfBytes } from '../../src/sessions/utf8.ts';

export interface FakeWorldOptions {
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  readonly stdin?: string;
  readonly folders?: readonly string[];
  readonly screen?: Partial<Screen>;
  /** Where sessions of agents are looked for. */
  readonly home?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Makes every write fail with this code. */
  readonly writeFails?: string;
}

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  readonly written: Readonly<Record<string, string>>;
}

export function fixture(name: string): string {
  return fileURLToPath(new URL(`../../fixtures/${name}`, import.meta.url));
}

/** Runs the command line in this process. */
export async function precis(args: readonly string[], options: FakeWorldOptions = {}): Promise<Ran> {
  const files = new Map(Object.entries(options.files ?? {}));
  const folders = new Set(options.folders ?? ['.']);
  const written: Record<string, string> = {};
  const screen: Screen = { isTerminal: false, colors: false, columns: 80, ...options.screen };
  let out = '';
  let err = '';
  let clock = 0;
  const world: World = {
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    outScreen: screen,
    errScreen: screen,
    now: () => clock++,
    kindOf: async (path): Promise<PathKind> => {
      if (files.has(path)) return 'file';
      return folders.has(path) ? 'directory' : 'none';
    },
    list: async (folder) => [...files.keys()].filter((path) => dirname(path) === folder).map((path) => basename(path)),
    read: async (path) => {
      const content = files.get(path);
      if (content === undefined) return readSessionText(path);
      return typeof content === 'string' ? content : textOfBytes(content, path);
    },
    open: async (path, settings) => {
      const content = path === '-' ? (options.stdin ?? '') : files.get(path);
      if (content === undefined) return openSessionFile(path, settings);
      return readSessionBytes(chunksOf(content), { ...settings, name: sessionName(path) });
    },
    find: (folder) =>
      findSessions({
        env: options.env ?? {},
        home: options.home ?? '/nowhere',
        ...(folder === undefined ? {} : { folder }),
      }),
    write: async (path, text, { replace }) => {
      const code = options.writeFails ?? (files.has(path) && !replace ? 'EEXIST' : undefined);
      if (code !== undefined) throw Object.assign(new Error(code), { code });
      files.set(path, text);
      written[path] = text;
    },
    makeFolder: async (path) => void folders.add(path),
  };
  const code = await run(args, world);
  return { code, out, err, written };
}

/** In small pieces, so that lines are cut between them. */
async function* chunksOf(content: string | Uint8Array): AsyncGenerator<Uint8Array> {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  for (let at = 0; at < bytes.length; at += 1000) yield bytes.subarray(at, at + 1000);
}
