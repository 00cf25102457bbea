import type { Calibration } from '../../eval/calibrate/calibrate.ts';
import { plain } from '../escape.ts';
import { counted, percent } from '../figures.ts';
import { textTable, wrapped } from '../text-table.ts';

const COLUMNS = 80;

/** Writes the calibration of a judge for people: how well it agrees with human labels, and whether to trust it. */
export function calibrateText(calibration: Calibration): string {
  const { judgeModel, labels, unused, confusion, agreement, passed, count, corrected, reasons, arm } = calibration;
  const share = (value: number | null): string => (value === null ? 'unknown' : percent(value));
  const lines = [
    `Judge ${plain(judgeModel ?? 'none')}: ${counted(labels, 'label')}${unused === 0 ? '' : `, ${unused} without a graded answer`}.`,
    '',
    ...textTable(
      ['', 'people pass', 'people fail'],
      [
        ['judge passes', String(confusion.bothPass), String(confusion.onlyJudge)],
        ['judge fails', String(confusion.onlyHuman), String(confusion.bothFail)],
      ],
      COLUMNS,
    ),
    '',
  ];
  if (agreement !== null)
    lines.push(
      `Agreement ${percent(agreement.exact)}, kappa ${agreement.kappa === null ? 'unknown' : agreement.kappa.toFixed(3)}, AC1 ${agreement.ac1.toFixed(3)}.`,
      `Passes what is right: ${share(agreement.sensitivity)}; fails what is wrong: ${share(agreement.specificity)}.`,
    );
  if (passed !== null)
    lines.push(
      ...wrapped(
        `${plain(arm)}: the judge passed ${percent(passed)} of ${counted(count, 'answer')}; ${corrected === null ? 'that cannot be corrected' : `people would pass ${percent(corrected.score)} (±${(196 * corrected.error).toFixed(1)} points)`}.`,
        COLUMNS,
      ),
    );
  lines.push('', reasons.length === 0 ? 'The judge can be trusted.' : 'The judge is not to be trusted yet:');
  for (const reason of reasons) lines.push(...wrapped(`  ${reason}`, COLUMNS, '  '));
  return `${lines.join('\n')}\n`;
}
