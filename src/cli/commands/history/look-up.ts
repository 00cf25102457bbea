import { recallText } from '../../../context/recall/recall-tool.ts';
import { allText } from '../../../core/conversation/message.ts';
import { PrecisError } from '../../../core/errors.ts';
import { jsonText } from '../../screen/json-text.ts';
import { type HistoryJob, openChosen, requireWords } from './job.ts';

export async function show(job: HistoryJob): Promise<void> {
  const { world, flags, words } = job;
  const place = requireWords(
    job,
    words.join(' '),
    'a compaction such as c1, a ref such as r:0f3a9c2b7d1e4, or a message number such as 12',
  );
  const context = await openChosen(job, 'read');
  const compaction = context.compactions().find(({ id }) => id === place);
  if (compaction !== undefined) {
    world.out(jsonText(compaction.receipt));
    return;
  }
  const number = /^#?(\d{1,9})$/.exec(place)?.[1];
  if (number !== undefined) {
    const history = context.conversation().history ?? [];
    const message = history[Number(number) - 1];
    if (message === undefined)
      throw new PrecisError(
        'bad-option',
        `${job.file}: expected a message number from 1 to ${history.length}, got \`${place}\``,
      );
    world.out(flags.json === true ? jsonText(message.raw ?? message) : `${message.role}: ${allText(message)}\n`);
    return;
  }
  const recalled = context.original(place) === null ? null : await context.search(place, { tokens: WHOLE_TOKENS });
  if (recalled === null)
    throw new PrecisError(
      'bad-option',
      `${job.file}: there is no original for \`${place}\`; to look for words, use \`search\``,
    );
  world.out(flags.json === true ? jsonText(recalled) : `${recallText(recalled)}\n`);
}

/** More tokens than any original has. */
const WHOLE_TOKENS = 100_000_000;

export async function search(job: HistoryJob): Promise<void> {
  const { world, flags } = job;
  const question = requireWords(job, job.words.join(' '), 'a question in plain words');
  const context = await openChosen(job, 'read');
  const found = await context.search(question, { tokens: flags.tokens });
  world.out(flags.json === true ? jsonText(found) : `${recallText(found)}\n`);
}
