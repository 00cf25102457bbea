import { type ReportRow, reportText, type ScrubReport } from '../../../scrub/report.ts';
import { writeOutput } from '../../disk/output-file.ts';
import { jsonText } from '../../screen/json-text.ts';
import { counted, whole } from '../../screen/paint.ts';
import type { World } from '../../world.ts';
import type { ScrubFlags } from './flags.ts';

export async function printReport(world: World, report: ScrubReport, flags: ScrubFlags): Promise<void> {
  const { report: place, json, out } = flags;
  const isPrinted = place === true || place === '-';
  if (typeof place === 'string' && place !== '-')
    await writeOutput(world, { path: place, text: reportText(report) }, flags);
  if (json === true) world.out(jsonText(report));
  else if (isPrinted) world.out(reportText(report));
  else world.out(summaryText(report));
  if (!report.ok) {
    if (json === true || !isPrinted) world.err(leftText(report));
    world.err(
      'precis: the audit found something left, so nothing was written; add a rule (`--rules`) or a name (`--names`) for it\n',
    );
  } else if (json !== true)
    world.out(
      out === undefined ? 'Nothing was written; add `--out FOLDER` to keep the result.\n' : `Written to ${out}.\n`,
    );
}

function summaryText({ sessions, replaced }: ScrubReport): string {
  const lines = sessions.map(({ name, messages, bytes, truncatedTo }) => {
    const cut = truncatedTo === null ? '' : `, cut off after message ${truncatedTo + 1}`;
    return `${name}: ${counted(messages, 'message')}, ${whole(bytes)} bytes${cut}`;
  });
  const sum = (group: ReportRow['group']): number =>
    replaced.filter((row) => row.group === group).reduce((total, row) => total + row.count, 0);
  return `${lines.join('\n')}\nReplaced: ${whole(sum('secret'))} secrets, ${whole(sum('personal'))} personal; ${counted(sum('structure'), 'structural change')}.\n`;
}

function leftText({ sessions }: ScrubReport): string {
  return sessions
    .flatMap(({ name, left }) => left.map(({ rule, count }) => `${name}: ${rule}, ${count} left\n`))
    .join('');
}
