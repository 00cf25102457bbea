import { diffText } from '../../../context/timeline/diff.ts';
import { PrecisError } from '../../../core/errors.ts';
import { jsonText } from '../../screen/json-text.ts';
import { whole } from '../../screen/paint.ts';
import { type HistoryJob, openChosen, requireWords } from './job.ts';

export async function diff(job: HistoryJob): Promise<void> {
  const context = await openChosen(job, 'read');
  const data = context.diff(job.words[0]);
  job.world.out(job.flags.json === true ? jsonText(data) : diffText(data));
}

export async function undo(job: HistoryJob): Promise<void> {
  const context = await openChosen(job, 'write');
  try {
    const last = context.viewId();
    const prepared = await context.undo();
    if (prepared === null) throw new PrecisError('bad-option', `${job.file}: there is no compaction to undo`);
    reportView(job, prepared.tokens, `undid ${last ?? 'the last compaction'}`);
  } finally {
    await context.close();
  }
}

export async function restore(job: HistoryJob): Promise<void> {
  const place = requireWords(job, job.words[0], 'a compaction such as c1, or `all` for the whole history');
  const context = await openChosen(job, 'write');
  try {
    const { tokens } = await context.restore(place === 'all' ? null : place);
    reportView(job, tokens, place === 'all' ? 'restored the whole history' : `restored the view after ${place}`);
  } finally {
    await context.close();
  }
}

function reportView({ world, flags, file }: HistoryJob, tokens: number, sentence: string): void {
  if (flags.json === true) world.out(jsonText({ tokens }));
  else world.out(`${file}: ${sentence}; the view now has ${whole(tokens)} tokens. \`export --view now\` writes it.\n`);
}
