/** `precis/report`: results of evaluations and replays as text, Markdown, HTML, JUnit and JSON. Pure functions from data to text. */

// Evaluation results

export { type EvalReportFile, evalReportFiles, withoutSecrets } from './eval/files.ts';
export { evalJunit } from './eval/junit.ts';
export { evalMarkdown } from './eval/markdown.ts';
export { evalStepSummary } from './eval/step-summary.ts';
export { evalText } from './eval/text.ts';

// Comparisons, noise and the calibration of a judge

export { calibrateText } from './eval/calibrate-text.ts';
export { compareMarkdown, compareText } from './eval/compare-text.ts';
export { noiseText } from './eval/noise-text.ts';

// Replays

export { replayHtml } from './replay/html.ts';
export { replayJson } from './replay/json.ts';
export { replayMarkdown } from './replay/markdown.ts';
export { replayText } from './replay/text.ts';
