import { z } from 'zod';
import { AGES, MISBEHAVIOURS, type PeersResults } from '../peers/results.ts';
import type { ResultFile } from './result-file.ts';

const count = z.number().nonnegative();
const teller = z.enum(['none', 'silent', 'forgetful', 'rewording', 'perfect']);
const share = z.object({ kept: count, facts: count });

const survival = share.extend({
  arm: z.string(),
  teller,
  passes: z.number().int().positive(),
  byKind: z.record(z.string(), share),
  byAge: z.object({ [AGES[0]]: share, [AGES[1]]: share, [AGES[2]]: share }),
  retained: count,
  tooLarge: count,
  shown: count,
  allowed: count.nullable(),
  calls: count,
  unsound: z.array(z.string()),
  threw: count,
  skipped: count,
  withSearch: share.nullable(),
  behind: z.array(z.object({ session: z.string(), tokens: count, facts: count })),
  ours: share.extend({ retained: count }).nullable(),
});

const files = z.object({
  arm: z.string(),
  teller,
  files: count,
  shellFiles: count,
  named: count,
  shellNamed: count,
  told: count,
  shellTold: count,
  retained: count,
});

const cost = z.object({
  session: z.object({ tokens: count, messages: count }),
  passes: z.array(z.object({ arm: z.string(), ms: count, peakMb: z.number(), loadedMb: count })),
  turns: z.array(z.object({ arm: z.string(), tokens: count, ms: count })),
  noise: z.object({ pass: count, turn: count }),
});

const schema: z.ZodType<PeersResults> = z.object({
  date: z.string(),
  commit: z.string().nullable(),
  node: z.string(),
  machine: z.string(),
  place: z.string().nullable(),
  sessions: z.array(z.object({ name: z.string(), tokens: count, facts: count })).min(1),
  target: z.object({ percent: count, leastTokens: count }),
  passes: z.array(z.number().int().positive()).min(1),
  window: count,
  floor: share,
  arms: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      how: z.string(),
      versions: z.array(z.string()),
      summarises: z.boolean(),
      counting: z.string(),
      failed: z.string().nullable(),
    }),
  ),
  survival: z.array(survival),
  files: z.array(files),
  misbehaviours: z.array(
    z.object({
      arm: z.string(),
      misbehaviour: z.enum(MISBEHAVIOURS),
      verdict: z.enum(['kept', 'threw', 'fell-back', 'lost']),
      detail: z.string(),
      calls: count,
      // Less the summariser's own time, so it can come out below zero.
      seconds: z.number(),
    }),
  ),
  cost,
  notRun: z.array(z.tuple([z.string(), z.string()])),
  seconds: count,
});

export const peersFile: ResultFile<PeersResults> = {
  file: 'bench/results/peers.json',
  command: 'npm run bench:peers -- --save',
  schema,
};
