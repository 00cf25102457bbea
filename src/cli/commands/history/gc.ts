import { PrecisError } from '../../../core/errors.ts';
import { jsonText } from '../../screen/json-text.ts';
import { whole } from '../../screen/paint.ts';
import { chosenContext } from '../../store/contexts.ts';
import type { HistoryJob } from './job.ts';

const DAY_MS = 86_400_000;

export async function gc(job: HistoryJob): Promise<void> {
  const { world, flags, file, store } = job;
  const { olderThan, maxSize, context } = flags;
  if (olderThan === undefined && maxSize === undefined && context === undefined)
    throw new PrecisError(
      'bad-option',
      `${file}: expected \`--older-than\`, \`--max-size\` or \`--context\` to say what to remove`,
    );
  if (context !== undefined) await chosenContext(store, file, context);
  const report = await store.gc({
    ...(olderThan === undefined ? {} : { olderThanMs: olderThan * DAY_MS }),
    ...(maxSize === undefined ? {} : { maxBytes: maxSize * 1_000_000 }),
    ...(context === undefined ? {} : { contexts: [context] }),
    dryRun: flags.dryRun === true,
  });
  if (flags.json === true) {
    world.out(jsonText(report));
    return;
  }
  const verb = flags.dryRun === true ? 'would be removed' : 'removed';
  for (const { id, messages, bytes } of report.removed)
    world.out(`${id}: ${whole(messages)} messages, ${megabytes(bytes)} ${verb}\n`);
  for (const id of report.held) world.out(`${id}: kept, because it is being written to\n`);
  world.out(`${file}: ${megabytes(report.bytesBefore)} → ${megabytes(report.bytesAfter)}\n`);
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
