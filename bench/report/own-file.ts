import { z } from 'zod';
import type { OwnResults } from '../own/results.ts';
import type { ResultFile } from './result-file.ts';

const number = z.number();
const schema: z.ZodType<OwnResults> = z.object({
  version: z.literal(1),
  date: z.string(),
  commit: z.string().nullable(),
  node: z.string(),
  cores: number,
  survival: z.array(z.object({ arm: z.string(), target: number, passes: number, kept: number, facts: number })),
  longLife: z.object({
    turns: number,
    compactions: number,
    firstRatio: number,
    lastRatio: number,
    firstHandoff: number,
    lastHandoff: number,
    rulesKept: number,
    rules: number,
    heapMb: z.array(number),
    ms: number,
  }),
  store: z.object({
    tokens: number,
    messages: number,
    chunks: number,
    jsonBytes: number,
    rows: z.array(
      z.object({
        arm: z.string(),
        commitsPerSecond: number,
        commitRatio: number,
        loadMs: number,
        loadRatio: number,
        searchMs: number,
        fileBytes: number,
        sizeRatio: number,
      }),
    ),
  }),
  readers: z.array(
    z.object({ what: z.string(), bytes: number, tokens: number, messages: number, readMs: number, peakBytes: number }),
  ),
  scrub: z.object({
    planted: z.object({ items: number, kinds: number, left: number }),
    clean: z.object({
      bytes: number,
      replaced: z.array(z.object({ rule: z.string(), count: number })),
      per100KB: number,
      megabytesPerSecond: number,
    }),
    growth: z.array(z.object({ what: z.string(), growth: number, megabytesPerSecond: number })),
  }),
  crash: z.object({
    writers: z.object({
      kills: number,
      during: z.record(z.string(), number),
      wholeBatches: number,
      absentBatches: number,
      acknowledged: number,
    }),
    contexts: z.object({ kills: number, before: number, after: number, refs: number }),
  }),
});

export const ownFile: ResultFile<OwnResults> = {
  file: 'bench/results/own.json',
  command: 'npm run bench:own -- --save',
  schema,
};
