import { type Dirent, existsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { listDatabase } from './open.ts';

/** A session on disk. */
export interface FoundSession {
  /** The path for `openSessionFile`, or `PATH#ID` for a session in a database. */
  readonly path: string;
  /** Id of the agent's reader; absent when a folder was searched. */
  readonly reader?: string;
  /** Time of the last change, ISO 8601. */
  readonly modifiedAt: string;
  /** Size of the file in bytes; null for a folder and for a session in a database. */
  readonly bytes: number | null;
}

/** Where to look for sessions. */
export interface FindOptions {
  /** Folder to search instead of the agents' usual places. */
  readonly folder?: string;
  /** Variables that may move an agent's folder, such as `CODEX_HOME`. @default `process.env` */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Folder below which agents keep their sessions. @default the home folder of the user */
  readonly home?: string;
}

/** Finds sessions in the usual place of each agent, or under a folder, newest first. It opens databases, but no files. */
export async function findSessions({
  folder,
  env = process.env,
  home = homedir(),
}: FindOptions = {}): Promise<readonly FoundSession[]> {
  const places = folder === undefined ? usualPlaces(env, home) : [{ folder, isSession: looksLikeSession, depth: 12 }];
  const found = (await Promise.all(places.map(searchPlace))).flat();
  return found.toSorted((one, other) =>
    one.modifiedAt < other.modifiedAt ? 1 : one.modifiedAt > other.modifiedAt ? -1 : one.path < other.path ? -1 : 1,
  );
}

interface Place {
  readonly folder: string;
  readonly reader?: string;
  readonly isSession: (name: string) => boolean;
  /** How many levels of folders below it are searched. */
  readonly depth: number;
}

function usualPlaces(env: Readonly<Record<string, string | undefined>>, home: string): readonly Place[] {
  const set = (name: string): string | undefined => (env[name] === '' ? undefined : env[name]);
  const claude = set('CLAUDE_CONFIG_DIR') ?? join(home, '.claude');
  const codex = set('CODEX_HOME') ?? join(home, '.codex');
  const hermes = set('HERMES_HOME') ?? join(home, '.hermes');
  const data = set('XDG_DATA_HOME') ?? join(home, '.local', 'share');
  const opencode = set('OPENCODE_DB') ?? join(data, 'opencode', 'opencode.db');
  const isLines = (name: string): boolean => name.endsWith('.jsonl');
  return [
    // One folder per project; deeper folders belong to subagents.
    { folder: join(claude, 'projects'), reader: 'claude-code', isSession: isLines, depth: 1 },
    {
      folder: join(codex, 'sessions'),
      reader: 'codex',
      isSession: (name) => isLines(name) && name.startsWith('rollout-'),
      depth: 3,
    },
    { folder: join(hermes, 'state.db'), reader: 'hermes', isSession: () => true, depth: 0 },
    {
      folder: join(hermes, 'sessions'),
      reader: 'hermes',
      isSession: (name) => isLines(name) || /^session_.*\.json$/.test(name),
      depth: 0,
    },
    { folder: join(home, '.pi', 'agent', 'sessions'), reader: 'pi', isSession: isLines, depth: 1 },
    { folder: opencode, reader: 'opencode', isSession: () => true, depth: 0 },
    // OpenCode before 1.2.
    {
      folder: join(data, 'opencode', 'storage', 'session'),
      reader: 'opencode',
      isSession: (name) => /^ses.*\.json$/.test(name),
      depth: 1,
    },
    {
      folder: join(home, '.gemini', 'tmp'),
      reader: 'gemini-cli',
      isSession: (name) => /^session-.*\.jsonl?$/.test(name),
      depth: 2,
    },
    { folder: join(home, '.copilot', 'session-state'), reader: 'copilot-cli', isSession: isLines, depth: 1 },
  ];
}

/** True for names that may hold a session; only opening the file tells. */
function looksLikeSession(name: string): boolean {
  return (
    /\.(?:jsonl?|traj|db|sqlite)$/.test(name) &&
    !/^(?:package(?:-lock)?|tsconfig.*|base_state|event-\d+.*)\.json$/.test(name)
  );
}

async function searchPlace({ folder, reader, isSession, depth }: Place): Promise<readonly FoundSession[]> {
  const about = reader === undefined ? {} : { reader };
  const start = await stat(folder).catch(() => null);
  if (start === null) return [];
  if (start.isFile()) return describe(folder, about);
  const found: FoundSession[] = [];
  const visit = async (path: string, left: number): Promise<void> => {
    for (const entry of await entriesOf(path)) {
      const child = join(path, entry.name);
      if (entry.isDirectory() && !SKIPPED.has(entry.name)) {
        if (reader === undefined && existsSync(join(child, 'base_state.json')))
          found.push(...(await describe(child, { reader: 'openhands' })));
        else if (left > 0) await visit(child, left - 1);
      } else if (entry.isFile() && isSession(entry.name)) found.push(...(await describe(child, about)));
    }
  };
  if (reader === undefined && existsSync(join(folder, 'base_state.json')))
    return describe(folder, { reader: 'openhands' });
  await visit(folder, depth);
  return found;
}

const SKIPPED: ReadonlySet<string> = new Set(['node_modules', '.git']);

/** An unreadable folder counts as empty. */
async function entriesOf(path: string): Promise<readonly Dirent[]> {
  return readdir(path, { withFileTypes: true }).catch(() => []);
}

async function describe(path: string, about: { readonly reader?: string }): Promise<readonly FoundSession[]> {
  const file = await stat(path).catch(() => null);
  if (file === null) return [];
  const modifiedAt = file.mtime.toISOString();
  if (!/\.(?:db|sqlite)$/.test(path))
    return [{ path, ...about, modifiedAt, bytes: file.isDirectory() ? null : file.size }];
  const sessions = await listDatabase(path).catch(() => []);
  return sessions.map(({ id, updatedAt }) => ({
    path: `${path}#${id}`,
    ...about,
    modifiedAt: updatedAt ?? modifiedAt,
    bytes: null,
  }));
}
