import { z } from 'zod';
import { PrecisError } from '../../core/errors.ts';
import { DIMENSIONS, FACT_KINDS, PROBE_TYPES, type RunResult } from '../types.ts';

/** Reads the file of one run. Its errors name the file, the place and the field. */
export function parseRunResult(text: string, file: string): RunResult {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new PrecisError(
      'bad-input',
      `${file}: expected the JSON of a run, but it cannot be read as JSON`,
      { file },
      error,
    );
  }
  const parsed = runResult().safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const place = issue === undefined || issue.path.length === 0 ? '' : ` at ${issue.path.join('.')}`;
  throw new PrecisError(
    'bad-input',
    `${file}: expected the result of a run: ${issue?.message ?? 'unknown shape'}${place}`,
    {
      file,
    },
  );
}

function runResult(): z.ZodType<RunResult> {
  const share = z.number().min(0).max(1).nullable();
  const grade = z.number().min(0).max(5).nullable();
  const facts = z.array(
    z.object({
      value: z.string(),
      kind: z.enum(FACT_KINDS),
      weight: z.enum(['vital', 'okay']),
      outcome: z.enum(['verbatim', 'normalised', 'recoverable', 'stale', 'contradicted', 'lost']),
      note: z.string(),
    }),
  );
  const judged = z.object({
    answer: z.string(),
    outcome: z.enum(['correct', 'partial', 'abstained', 'stale', 'confabulated', 'wrong', 'error']),
    grades: z.record(z.enum(DIMENSIONS), grade).nullable(),
    note: z.string(),
    retries: z.int().min(0),
  });
  const name = z.string().min(1);
  return z.object({
    version: z.literal(1),
    label: z.string(),
    fixture: name,
    run: z.int().min(0),
    states: z.array(
      z.object({
        arm: name,
        role: z.enum(['ceiling', 'floor', 'control', 'candidate']),
        pass: z.int().min(0),
        tokens: z.number().min(0),
        tokensOfSource: z.number().min(0),
        calls: z.int().min(0),
        usd: z.number().min(0).nullable(),
        ms: z.number().min(0),
        invalid: z.string().nullable(),
      }),
    ),
    cells: z.array(
      z.object({
        fixture: name,
        arm: name,
        pass: z.int().min(0),
        probe: name,
        type: z.enum(PROBE_TYPES),
        facts,
        survival: share,
        visible: share,
        judged: judged.nullable(),
      }),
    ),
    provenance: z.object({
      precis: z.string(),
      fixtureDigest: z.string(),
      bankDigest: z.string(),
      rubricDigest: z.string(),
      compressorModel: z.string().nullable(),
      answerModel: z.string().nullable(),
      judgeModel: z.string().nullable(),
      target: z.number(),
      passes: z.int().min(0),
      startedAt: z.string(),
      ms: z.number().min(0),
      usd: z.number().min(0).nullable(),
    }),
  });
}
