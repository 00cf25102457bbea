import type { Action } from '../record/calls/action.ts';
import { runsShell } from '../record/calls/action-kinds.ts';
import { type FileEffect, normalizePath } from '../record/calls/file-effect.ts';
import { shellEffects } from '../record/calls/shell.ts';
import type { Entry } from '../record/entry.ts';
import type { FoundFact } from './fact.ts';

export type FileState = 'read' | 'created' | 'modified' | 'deleted' | 'renamed';

interface FileRecord {
  readonly path: string;
  readonly state: FileState;
  readonly from: string | null;
  readonly message: number;
  readonly touches: number;
}

/** The final state of every file that tools and shell commands touched. */
export function fileFacts(entries: readonly Entry[]): readonly FoundFact[] {
  const files = new Map<string, FileRecord>();
  for (const entry of entries) {
    // Of a list of commands the last one may have failed after the others did their work.
    if (entry.type !== 'did' || entry.action === null) continue;
    if (entry.failed && !/&&|;|\n/.test(entry.action.command ?? '')) continue;
    for (const effect of effectsOf(entry.action)) touch(files, effect, entry.number);
  }
  return [...files.values()].map(toFact);
}

function effectsOf(action: Action): readonly FileEffect[] {
  if (action.patched.length > 0) return action.patched;
  if (action.command !== null) return runsShell(action) ? shellEffects(action.command, action.folder) : [];
  const effect = EFFECTS[action.verb];
  if (effect === undefined) return [];
  const paths = action.paths.filter(isFilePath);
  if (effect === 'renamed') return renamed(paths);
  return paths.map((path) => ({ path, effect }));
}

function renamed([from, path]: Action['paths']): readonly FileEffect[] {
  return from === undefined || path === undefined ? [] : [{ path, effect: 'renamed', from }];
}

/** Tools also name tables, places and addresses under the keys of paths. */
function isFilePath(path: string): boolean {
  return (/[./\\]/.test(path) || /^[A-Z][\w-]*$/.test(path)) && !/^[a-z][a-z\d+.-]+:\/\//i.test(path);
}

const EFFECTS: Readonly<Partial<Record<string, FileEffect['effect']>>> = {
  read: 'read',
  write: 'created',
  edit: 'modified',
  delete: 'deleted',
  move: 'renamed',
};

function touch(files: Map<string, FileRecord>, { path: named, effect, from }: FileEffect, message: number): void {
  const path = normalizePath(named);
  if (path === '') return;
  if (effect === 'renamed' && from !== undefined) {
    rename(files, { from: normalizePath(from), to: path }, message);
    return;
  }
  const known = files.get(path);
  const state = nextState(known?.state ?? null, effect);
  files.set(path, {
    path,
    state,
    from: state === 'renamed' ? (known?.from ?? null) : null,
    message: state === known?.state && effect === 'read' ? known.message : message,
    touches: (known?.touches ?? 0) + 1,
  });
  if (effect !== 'deleted') return;
  const gone = filesBelow(files, path);
  for (const file of gone) files.set(file.path, { ...file, state: 'deleted', from: null, message });
  // A folder is its files, as far as they are known.
  if (known === undefined && gone.length > 0) files.delete(path);
}

function filesBelow(files: ReadonlyMap<string, FileRecord>, folder: string): readonly FileRecord[] {
  return [...files.values()].filter((file) => file.path.startsWith(`${folder}/`));
}

interface Move {
  readonly from: string;
  readonly to: string;
}

function rename(files: Map<string, FileRecord>, { from, to }: Move, message: number): void {
  const name = from.slice(from.lastIndexOf('/') + 1);
  const intoFolder = !files.has(to) && filesBelow(files, to).length > 0;
  const path = intoFolder ? `${to}/${name}` : to;
  const below = files.has(from) ? [] : filesBelow(files, from);
  for (const file of below) renameOne(files, { from: file.path, to: path + file.path.slice(from.length) }, message);
  if (below.length === 0) renameOne(files, { from, to: path }, message);
}

function renameOne(files: Map<string, FileRecord>, { from, to: path }: Move, message: number): void {
  const known = files.get(from);
  const origin = known?.state === 'renamed' ? (known.from ?? from) : from;
  const touches = (known?.touches ?? 0) + 1;
  files.delete(from);
  // What this session created has no earlier name; what has its first name back was only changed on the way.
  const state = known?.state === 'created' ? 'created' : origin === path ? 'modified' : 'renamed';
  files.set(path, { path, state, from: state === 'renamed' ? origin : null, message, touches });
}

/** Reading changes nothing; what this session created stays created through later edits. */
function nextState(before: FileState | null, effect: FileState): FileState {
  if (effect === 'read') return before ?? 'read';
  if (effect === 'modified' && (before === 'created' || before === 'renamed')) return before;
  // Writing a file that was read before replaces it.
  if (effect === 'created' && (before === 'read' || before === 'modified')) return 'modified';
  return effect;
}

/** What is deleted here was meant to be. */
const TEMPORARY = /^(?:\/private)?\/(?:var\/)?tmp\/|^\/var\/folders\//;

function toFact(file: FileRecord): FoundFact {
  const changed = file.state !== 'read' && !(file.state === 'deleted' && TEMPORARY.test(file.path));
  return {
    kind: 'file',
    key: file.path,
    text: file.from === null ? `${file.path} (${file.state})` : `${file.path} (renamed from ${file.from})`,
    needles: [file.path],
    status: 'current',
    source: { message: file.message, passage: -1 },
    grounds: { changed, times: file.touches },
  };
}
