import { startArm } from './arm-process.ts';
import { countTokens } from './arms/steps.ts';
import type { FileState, FileTruth } from './battery/truth.ts';
import { batterySession } from './battery-session.ts';
import { dialectOf } from './dialect.ts';
import { inLanes } from './lanes.ts';
import { type Failed, orFailed, type PlacedArm, type Progress } from './placed-arm.ts';
import type { FilesRow, Teller } from './results.ts';
import { startSummariser } from './summariser.ts';
import { nearestCase } from './survival.ts';
import { endsOf } from './tellers.ts';
import { textOfMessage } from './text.ts';
import type { WireMessage } from './types.ts';

/** Of the session. */
const TARGET_SHARE = 0.1;
const WINDOW = 1_000_000;

/** What the view says about the files of the battery session after one compaction to a tenth. */
export async function fileRows(
  arms: readonly PlacedArm[],
  lanes: number,
  onProgress: Progress,
  onFailed: Failed,
): Promise<readonly FilesRow[]> {
  const rows = await inLanes(arms, lanes, (placed) => orFailed(placed, [], onFailed, () => rowsOf(placed, onProgress)));
  return rows.flat();
}

async function rowsOf({ arm, folder }: PlacedArm, onProgress: Progress): Promise<readonly FilesRow[]> {
  const session = batterySession(dialectOf(arm.id));
  const sessionTokens = countTokens(session.messages);
  const summariser = await startSummariser();
  try {
    const process = await startArm(arm.id, folder, summariser.place);
    try {
      const rows: FilesRow[] = [];
      for (const teller of endsOf(arm)) {
        onProgress(`files: ${arm.id}, ${teller}`);
        const target = Math.round(sessionTokens * TARGET_SHARE);
        const shared = { arm, process, summariser, session, sessionTokens, teller, passes: 1, window: WINDOW };
        const { chain, tokens } = await nearestCase({ ...shared, target });
        rows.push(rowOf({ arm: arm.id, teller, retained: tokens / sessionTokens }, session.files, chain.view));
      }
      return rows;
    } finally {
      await process.stop();
    }
  } finally {
    await summariser.close();
  }
}

export function rowOf(
  key: { readonly arm: string; readonly teller: Teller; readonly retained: number },
  files: readonly FileTruth[],
  view: readonly WireMessage[],
): FilesRow {
  const text = view.map(textOfMessage).join('\n').replaceAll('\\n', '\n').replaceAll('\\"', '"');
  const shell = files.filter(({ byShell }) => byShell);
  const named = (list: readonly FileTruth[]): number => list.filter(({ path }) => text.includes(path)).length;
  const told = (list: readonly FileTruth[]): number => list.filter((file) => isTold(text, file)).length;
  return {
    ...key,
    files: files.length,
    shellFiles: shell.length,
    named: named(files),
    shellNamed: named(shell),
    told: told(files),
    shellTold: told(shell),
  };
}

/** Generous: who lists a new file among those that were modified has said that it is there and whose it is. */
const CHANGED =
  /\b(?:edit(?:s|ed|or|_file)?|chang(?:es|ed)|modif(?:ies|ied)|update[sd]?|patch(?:ed|ing)?|replaced|sed -i|wr(?:ite|ites|ote|itten)|old_?[tT]ext)\b/i;
const WORDS: Readonly<Record<FileState, readonly RegExp[]>> = {
  created: [/\b(?:creat(?:es|ed)|new|add(?:s|ed)|write_file|tee|cp|cop(?:ies|ied))\b|cat >/i, CHANGED],
  edited: [CHANGED],
  moved: [/\b(?:mov(?:es|ed)|renam(?:es|ed)|mv)\b|→|->/i],
  deleted: [/\b(?:delet(?:es|ed)|remov(?:es|ed)|rm|gone)\b/i],
};
/** Characters beside a path in which a word about it is looked for. */
const BESIDE = 120;

/** Whether a word of its state stands beside the path, or in the heading of the list that the path stands in. */
export function isTold(text: string, { path, state }: FileTruth): boolean {
  const says = (words: string): boolean => WORDS[state].some((pattern) => pattern.test(words));
  for (let at = text.indexOf(path); at >= 0; at = text.indexOf(path, at + path.length)) {
    // Words of the path itself say nothing.
    const before = text.slice(Math.max(0, at - BESIDE), at);
    const after = text.slice(at + path.length, at + path.length + BESIDE);
    if (says(before) || says(after) || says(headingAbove(text.slice(0, at)))) return true;
  }
  return false;
}

/** A long list stands under one word: a heading, a tag, or a line that ends with a colon. */
function headingAbove(before: string): string {
  const lines = before.split('\n').slice(0, -1);
  const heading = lines.findLast((line) => /^\s*(?:#|<[a-z]|\*\*)|:\s*$/.test(line) || line.trim() === '');
  return heading ?? '';
}
