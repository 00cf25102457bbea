import { z } from 'zod';
import type { Baseline } from '../speed/baseline.ts';
import type { SpeedResults } from '../speed/types.ts';
import type { ResultFile } from './result-file.ts';

const cpu = z.object({ model: z.string(), cores: z.number() });
const command = 'npm run bench -- --save';

const results: z.ZodType<SpeedResults> = z.object({
  version: z.literal(1),
  date: z.string(),
  commit: z.string().nullable(),
  node: z.string(),
  cpu,
  quick: z.boolean(),
  noise: z.object({ median: z.number(), largest: z.number(), where: z.string() }),
  rows: z.array(
    z.object({
      workload: z.string(),
      size: z.number(),
      tokens: z.number(),
      ms: z.number(),
      yardsticks: z.number(),
      peakMb: z.number(),
      sameByTheSame: z.number(),
      samples: z.number(),
    }),
  ),
  exponents: z.array(
    z.object({
      workload: z.string(),
      of: z.enum(['time', 'memory']),
      slope: z.number().nullable(),
      words: z.string(),
    }),
  ),
  lines: z.array(z.object({ what: z.string(), ms: z.number(), yardsticks: z.number(), sameByTheSame: z.number() })),
});

const baseline: z.ZodType<Baseline> = z.object({
  version: z.literal(1),
  date: z.string(),
  node: z.string(),
  cpu,
  entries: z.array(z.object({ name: z.string(), yardsticks: z.number(), sameByTheSame: z.number() })),
});

export const speedFile: ResultFile<SpeedResults> = { file: 'bench/results/speed.json', command, schema: results };
export const baselineFile: ResultFile<Baseline> = { file: 'bench/baseline.json', command, schema: baseline };
