import { PrecisError } from '../../../core/errors.ts';
import type { Summarizer } from '../../../core/model.ts';
import type { CompactOptions } from '../../../core/options.ts';
import type { TokenCounter } from '../../../core/tokens/counter.ts';
import type { Environment } from '../../../models/providers.ts';
import { type SessionDocument, sessionName } from '../../../sessions/index.ts';
import { loadConfig } from '../../config/load-config.ts';
import { checkOutput } from '../../disk/output-file.ts';
import { openOptions } from '../../flags/session-flags.ts';
import { createProgress, type Progress } from '../../screen/progress.ts';
import type { World } from '../../world.ts';
import { type CompactFlags, withConfig } from './flags.ts';
import { limitsFrom } from './limits.ts';
import { sizeOf } from './session-size.ts';
import { announceSummary, summarizerFrom } from './summarizer.ts';

export interface CompactInput {
  readonly world: World;
  readonly path: string;
  readonly flags: CompactFlags;
  readonly env: Environment;
}

/** One session and everything that its compaction needs. */
export interface CompactJob {
  readonly world: World;
  readonly path: string;
  readonly flags: CompactFlags;
  readonly name: string;
  readonly document: SessionDocument;
  readonly counter: TokenCounter;
  readonly limits: CompactOptions;
  readonly progress: Progress;
  readonly summarizer: Summarizer | null;
}

/** Checks the flags before it reads the session, so that a mistake costs no time. */
export async function prepareJob({ world, path, flags: given, env }: CompactInput): Promise<CompactJob> {
  const found = await loadConfig(world, given.config);
  const flags = withConfig(given, found?.config ?? {});
  const chosen = await summarizerFrom(flags, found, env);
  for (const warning of chosen?.warnings ?? []) world.err(`note: ${warning}\n`);
  await checkPlaces(world, flags);
  const limits = limitsFrom(flags);
  const document = await world.open(path, openOptions(flags));
  if (document.shape === 'log' && flags.out !== undefined)
    world.err(
      `note: precis never writes to ${document.source.title}; the result is plain messages in the format ${document.format.id}\n`,
    );
  const progress = createProgress(world, sizeOf(document.conversation) * flags.passes);
  const { o200k: counter } = await import('../../../models/o200k.ts');
  const summarizer = chosen?.summarizer ?? null;
  const job: CompactJob = {
    world,
    path,
    flags,
    name: sessionName(path),
    document,
    counter,
    limits,
    progress,
    summarizer,
  };
  if (summarizer !== null) announceSummary(job, summarizer);
  return job;
}

async function checkPlaces(world: World, flags: CompactFlags): Promise<void> {
  const { json, out } = flags;
  if (json === true && out === '-')
    throw new PrecisError(
      'bad-option',
      '`--json` and `--out -` both want standard output; write the result to a file, or leave out `--json`',
    );
  if (out !== undefined && out !== '-') await checkOutput(world, out, flags);
}
