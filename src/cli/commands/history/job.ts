import type { Context } from '../../../context/context.ts';
import { PrecisError } from '../../../core/errors.ts';
import type { SqliteStore } from '../../../stores/index.ts';
import type { OverwriteFlags } from '../../disk/output-file.ts';
import { chosenContext, openStored } from '../../store/contexts.ts';
import type { World } from '../../world.ts';

export interface HistoryFlags extends OverwriteFlags {
  readonly context?: string;
  readonly tokens: number;
  readonly view?: string;
  readonly out?: string;
  readonly olderThan?: number;
  readonly maxSize?: number;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** An open store, and what to do with it. */
export interface HistoryJob {
  readonly world: World;
  readonly file: string;
  readonly words: readonly string[];
  readonly flags: HistoryFlags;
  readonly store: SqliteStore;
}

export async function openChosen({ store, file, flags }: HistoryJob, access: 'read' | 'write'): Promise<Context> {
  const { id } = await chosenContext(store, file, flags.context);
  const { o200k } = await import('../../../models/o200k.ts');
  return openStored({ store, id, counter: o200k, access });
}

export function requireWords({ file }: HistoryJob, given: string | undefined, expected: string): string {
  if (given !== undefined && given.trim() !== '') return given;
  throw new PrecisError('bad-option', `${file}: expected ${expected}`);
}
