import { checkSound } from '../../../core/conversation/sound.ts';
import { PrecisError } from '../../../core/errors.ts';
import { formatById } from '../../../formats/detect.ts';
import { checkOutput, writeOutput } from '../../disk/output-file.ts';
import { jsonText } from '../../screen/json-text.ts';
import { whole } from '../../screen/paint.ts';
import { type HistoryJob, openChosen } from './job.ts';

export async function exportSession(job: HistoryJob): Promise<void> {
  const { world, flags } = job;
  const { out, view } = flags;
  if (out !== undefined) await checkOutput(world, out, flags);
  const context = await openChosen(job, 'read');
  const conversation = context.conversation();
  const format = formatById(conversation.format);
  const messages =
    view === undefined
      ? (conversation.history ?? conversation.messages)
      : view === 'now'
        ? conversation.messages
        : context.viewOf(view);
  const checked = format === null ? null : checkSound({ ...conversation, messages }, format);
  if (format === null || checked?.type !== 'sound')
    throw new PrecisError(
      'bad-input',
      `${job.file}: the session cannot be written in its format ${conversation.format}`,
    );
  const text = jsonText(format.encode(checked.conversation));
  if (out === undefined) world.out(text);
  else {
    await writeOutput(world, { path: out, text }, flags);
    world.err(`Written to ${out}: ${whole(messages.length)} messages.\n`);
  }
}
