/** Offline evaluation of one session: which of its facts survive in every arm, and is precis better than truncation? */
import { fileURLToPath } from 'node:url';
import { aggregate, compare, decodeFixture, evaluate, loadFixture } from '../src/eval/index.ts';
import { detectFormat } from '../src/index.ts';
import { o200k } from '../src/models/o200k.ts';

const folder = fileURLToPath(new URL('../fixtures/rate-limiter', import.meta.url));
const fixture = decodeFixture(await loadFixture(folder), detectFormat);

// No model is asked: code looks for the expected facts in each compacted session.
const { runs } = await evaluate({ label: 'example', fixtures: [fixture] }, { counter: o200k });

const percent = (share: number | undefined): string => (share === undefined ? '–' : `${Math.round(share * 100)} %`);
for (const { arm, visible, survival, tokens } of aggregate(runs).totals)
  console.log(`${arm}: ${percent(visible?.mean)} visible, ${percent(survival?.mean)} kept, ${tokens} tokens`);

const verdict = compare(runs, runs, { arm: 'truncation', armB: 'candidate' });
if (verdict.type === 'compared') {
  const { primary, caps } = verdict;
  console.log(
    `precis against truncation: ${primary.verdict}, ${Math.round(primary.difference * 100)} points more facts visible`,
  );
  for (const cap of caps) console.log(`no verdict yet: ${cap}`);
}
