/**
 * The engine with other limits, to see on sessions of your own what they cost and keep:
 * `CONDENSE=0.5 TARGET=0.35 TRIM=4000 npx node src/cli/main.ts replay DIR --policies summary-85,precis --policy bench/limits-policy.ts`
 */
import { engineRun } from '../src/replay/policies/engine/engine-run.ts';
import type { Policy } from '../src/replay/policies/policy.ts';

const {
  CONDENSE = '0.35',
  TARGET = '0.35',
  THRESHOLD,
  TRIM = '4000',
} = process.env as Readonly<Record<string, string | undefined>>;

const policy: Policy = {
  id: 'limits',
  title: 'the engine with these limits',
  note: `Condensing lands at ${CONDENSE} and folding at ${TARGET} of the threshold; results above ${TRIM} tokens enter trimmed.`,
  start: (setup) =>
    engineRun(setup, {
      ...(TRIM === '0' ? {} : { trim: { tokens: Number(TRIM) } }),
      limits: {
        condenseRatio: Number(CONDENSE),
        targetRatio: Number(TARGET),
        ...(THRESHOLD === undefined ? {} : { thresholdRatio: Number(THRESHOLD) }),
      },
    }),
};

// biome-ignore lint/style/noDefaultExport: `--policy` takes the default export of a file
export default policy;
