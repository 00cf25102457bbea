import type { FileEffect } from './file-effect.ts';

/** What a patch adds to the description of a call. */
export interface PatchParts {
  readonly paths: string[];
  readonly patched: FileEffect[];
  readonly added: string[];
  readonly removed: string[];
}

export const PATCH_START = '*** Begin Patch';
const PATCH_EFFECTS: Readonly<Record<string, FileEffect['effect']>> = {
  Add: 'created',
  Update: 'modified',
  Delete: 'deleted',
};

/** Reads a patch of the form `*** Begin Patch`. */
export function readPatch(patch: string, { paths, patched, added, removed }: PatchParts): void {
  for (const line of patch.split('\n')) {
    const file = /^\*\*\* (Add|Update|Delete) File: (.+?)\s*$/.exec(line);
    const moved = /^\*\*\* Move to: (.+?)\s*$/.exec(line)?.[1];
    const updated = patched.at(-1);
    if (file?.[2] !== undefined) {
      paths.push(file[2]);
      patched.push({ path: file[2], effect: PATCH_EFFECTS[file[1] ?? ''] ?? 'modified' });
    } else if (moved !== undefined && updated !== undefined) {
      paths.push(moved);
      patched[patched.length - 1] = { path: moved, effect: 'renamed', from: updated.path };
    } else if (line.startsWith('+')) added.push(line.slice(1));
    else if (line.startsWith('-')) removed.push(line.slice(1));
  }
}
