import { redactText } from '../../core/redact/redact.ts';
import type { EvalSummary } from '../../eval/results/aggregate.ts';
import type { RunResult } from '../../eval/types.ts';
import { evalJunit } from './junit.ts';
import { evalMarkdown } from './markdown.ts';

/** Name of a report file. */
export type EvalReportFile = 'report.md' | 'report.json' | 'junit.xml';

/** Writes all reports of an evaluation result, by file name. Secrets in facts and answers are redacted. */
export function evalReportFiles(
  summary: EvalSummary,
  runs: readonly RunResult[],
): Readonly<Record<EvalReportFile, string>> {
  const clean = withoutSecrets(summary);
  return {
    'report.md': evalMarkdown(clean),
    'report.json': `${JSON.stringify(clean, null, 2)}\n`,
    'junit.xml': evalJunit(clean, runs),
  };
}

/** Returns the summary with every text redacted, as `report.json` holds it. Of the report functions, only `evalReportFiles` redacts by itself. */
export function withoutSecrets(summary: EvalSummary): EvalSummary {
  const text = JSON.stringify(summary, (_key, value: unknown) =>
    typeof value === 'string' ? redactText(value) : value,
  );
  return JSON.parse(text) as EvalSummary;
}
