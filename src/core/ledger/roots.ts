import { type Message, toolCallsOf } from '../conversation/message.ts';
import { describeCall } from './calls.ts';

/**
 * The folder most absolute paths of a session lie in, without the slash at its end; empty when there is none. Every path below it can be
 * said without it, which is how people say paths.
 */
export function commonRoot(messages: readonly Message[]): string {
  const counts = new Map<string, number>();
  let total = 0;
  for (const message of messages)
    for (const call of toolCallsOf(message))
      for (const path of describeCall(call).paths) {
        if (!path.startsWith('/') && !/^[A-Za-z]:\\/.test(path)) continue;
        total++;
        for (const folder of foldersOf(path)) counts.set(folder, (counts.get(folder) ?? 0) + 1);
      }
  let root = '';
  for (const [folder, count] of counts) if (count >= total * ROOT_SHARE && folder.length > root.length) root = folder;
  return total >= 3 && root.split(/[/\\]/).length >= 3 ? root : '';
}

/** Share of the absolute paths that must lie below the root. */
const ROOT_SHARE = 0.7;

function foldersOf(path: string): readonly string[] {
  const folders: string[] = [];
  for (let at = 1; at < path.length; at++) if (path[at] === '/' || path[at] === '\\') folders.push(path.slice(0, at));
  return folders;
}
