import { type Message, toolCallsOf } from '../../conversation/message.ts';
import { describeCall } from './action.ts';
import { runsShell } from './action-kinds.ts';
import { shellEffects } from './shell.ts';

/**
 * The folder a session works in, without the slash at its end; empty when there is none. Every path below it can be said without it, which is
 * how people say paths. Where the same file is said both ways, or commands say where they run, that tells the folder; otherwise it is the
 * deepest one that most absolute paths lie in.
 */
export function commonRoot(messages: readonly Message[]): string {
  const absolute: string[] = [];
  const relative = new Set<string>();
  const votes = new Map<string, number>();
  for (const message of messages)
    for (const call of toolCallsOf(message)) {
      const action = describeCall(call);
      if (isAbsolute(action.folder)) vote(votes, action.folder.replace(/[/\\]$/, ''));
      for (const path of action.paths) {
        if (isAbsolute(path)) absolute.push(path);
        else relative.add(path);
      }
      if (!runsShell(action) || action.command === null) continue;
      for (const { path } of shellEffects(action.command, action.folder)) if (!isAbsolute(path)) relative.add(path);
    }
  const counts = new Map<string, number>();
  for (const path of absolute)
    for (const folder of foldersOf(path)) {
      vote(counts, folder);
      if (relative.has(path.slice(folder.length + 1))) vote(votes, folder);
    }
  return toldRoot(votes, counts, absolute.length) || deepestRoot(counts, absolute.length);
}

/** Share of the absolute paths that must lie below the root. */
const ROOT_SHARE = 0.7;
/** Fewer absolute paths than this say nothing about where the work is done. */
const FEWEST_PATHS = 3;

/** The folder that most files said both ways, or most commands, point to. */
function toldRoot(votes: ReadonlyMap<string, number>, counts: ReadonlyMap<string, number>, total: number): string {
  let root = '';
  for (const [folder, count] of votes)
    if (isDeepEnough(folder) && (counts.get(folder) ?? 0) >= total * ROOT_SHARE && count > (votes.get(root) ?? 0))
      root = folder;
  return root;
}

function deepestRoot(counts: ReadonlyMap<string, number>, total: number): string {
  let root = '';
  for (const [folder, count] of counts) if (count >= total * ROOT_SHARE && folder.length > root.length) root = folder;
  return total >= FEWEST_PATHS && isDeepEnough(root) ? root : '';
}

function isAbsolute(path: string): boolean {
  return path.startsWith('/') || /^[A-Za-z]:\\/.test(path);
}

/** A root right below `/` would turn `/etc/hosts` into `hosts`. */
function isDeepEnough(folder: string): boolean {
  return folder.split(/[/\\]/).length >= 3;
}

function vote(votes: Map<string, number>, folder: string): void {
  votes.set(folder, (votes.get(folder) ?? 0) + 1);
}

function foldersOf(path: string): readonly string[] {
  const folders: string[] = [];
  for (let at = 1; at < path.length; at++) if (path[at] === '/' || path[at] === '\\') folders.push(path.slice(0, at));
  return folders;
}
