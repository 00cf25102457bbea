import type { EvalSummary } from '../../eval/results/aggregate.ts';
import { markdown } from '../escape.ts';
import { percent, whole } from '../figures.ts';
import { detectableLine, mainCandidate } from './candidate.ts';
import { evalMarkdown } from './markdown.ts';

/** GitHub shows at most one mebibyte per step; this leaves room for others. */
const MOST_CHARACTERS = 500_000;

/** Writes an evaluation result for `$GITHUB_STEP_SUMMARY`: one line, and the Markdown report folded below it. */
export function evalStepSummary(summary: EvalSummary): string {
  const candidate = mainCandidate(summary);
  const line =
    candidate?.visible === undefined || candidate.visible === null
      ? 'No candidate was scored.'
      : `**${percent(candidate.visible.mean)}** of what was asked for is visible in ${whole(candidate.tokens)} tokens; ${summary.misses.length} misses.`;
  const report = evalMarkdown(summary);
  const body = report.length > MOST_CHARACTERS ? `${report.slice(0, MOST_CHARACTERS)}\n\n… cut, see report.md` : report;
  return `### precis eval: ${markdown(summary.label)}\n\n${line} ${detectableLine(summary)}\n\n<details><summary>Report</summary>\n\n${body}\n</details>\n`;
}
