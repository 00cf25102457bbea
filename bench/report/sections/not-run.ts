import type { PeersResults } from '../../peers/results.ts';
import { blocks, inline, list } from '../markdown.ts';

export function notRun({ arms, notRun: absent }: PeersResults): string {
  const failed = arms.flatMap(({ title, failed: why }) =>
    why === null ? [] : [`**${inline(title)}**: ${inline(why)}`],
  );
  return blocks(
    '## Not run',
    failed.length === 0 ? 'Every arm ran.' : list(failed),
    absent.length === 0 ? '' : 'The bench does not try these:',
    list(absent.map(([what, why]) => `**${inline(what)}**: ${inline(why)}.`)),
  );
}
