import type { Entry } from './entry.ts';
import type { Fact } from './fact.ts';
import { type FileEffect, shellEffects } from './shell.ts';

export type FileState = 'read' | 'created' | 'modified' | 'deleted' | 'renamed';

interface FileRecord {
  readonly path: string;
  readonly state: FileState;
  readonly from: string | null;
  readonly message: number;
  readonly touches: number;
}

/** The final state of every file that tools and shell commands touched. */
export function fileFacts(entries: readonly Entry[]): readonly Fact[] {
  const files = new Map<string, FileRecord>();
  for (const entry of entries) {
    if (entry.failed) continue;
    for (const effect of effectsOf(entry)) touch(files, effect, entry.number);
  }
  return [...files.values()].map(toFact);
}

function effectsOf(entry: Entry): readonly FileEffect[] {
  const { action } = entry;
  if (action === null) return [];
  if (action.command !== null && action.added.length === 0) return shellEffects(action.command);
  const effect = EFFECTS[action.verb];
  if (effect === undefined) return [];
  if (effect === 'renamed') {
    const [from, path] = action.paths;
    return from === undefined || path === undefined ? [] : [{ path, effect, from }];
  }
  return action.paths.filter((path) => /[./]/.test(path)).map((path) => ({ path, effect }));
}

const EFFECTS: Readonly<Partial<Record<string, FileEffect['effect']>>> = {
  read: 'read',
  write: 'created',
  edit: 'modified',
  delete: 'deleted',
  move: 'renamed',
};

function touch(files: Map<string, FileRecord>, { path, effect, from }: FileEffect, message: number): void {
  const known = files.get(path);
  if (effect === 'renamed' && from !== undefined) files.delete(from);
  const state = nextState(known?.state ?? null, effect);
  files.set(path, {
    path,
    state,
    from: from ?? known?.from ?? null,
    message: state === known?.state && effect === 'read' ? known.message : message,
    touches: (known?.touches ?? 0) + 1,
  });
}

/** Reading changes nothing; what this session created stays created through later edits. */
function nextState(before: FileState | null, effect: FileState): FileState {
  if (effect === 'read') return before ?? 'read';
  if (effect === 'modified' && (before === 'created' || before === 'renamed')) return before;
  // Writing a file that was read before replaces it.
  if (effect === 'created' && (before === 'read' || before === 'modified')) return 'modified';
  return effect;
}

function toFact(file: FileRecord): Fact {
  const changed = file.state !== 'read';
  return {
    kind: 'file',
    key: file.path,
    text: file.from === null ? `${file.path} (${file.state})` : `${file.path} (renamed from ${file.from})`,
    needles: [file.path],
    status: 'current',
    source: { message: file.message, passage: -1 },
    weight: (changed ? 2 : 0.4) * (1 + Math.log2(file.touches)),
    critical: changed,
  };
}
