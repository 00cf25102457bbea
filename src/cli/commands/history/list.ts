import { jsonText } from '../../screen/json-text.ts';
import { whole } from '../../screen/paint.ts';
import { chosenContext } from '../../store/contexts.ts';
import { type HistoryJob, openChosen } from './job.ts';

export async function list(job: HistoryJob): Promise<void> {
  const { world, store, flags } = job;
  const chosen = flags.context === undefined ? null : await chosenContext(store, job.file, flags.context);
  const contexts = (await store.contexts()).filter(
    ({ id, messages }) => messages > 0 && (chosen === null || id === chosen.id),
  );
  const rows: unknown[] = [];
  for (const info of contexts) {
    const context = await openChosen({ ...job, flags: { ...flags, context: info.id } }, 'read');
    const compactions = context.compactions().map(({ id, at, before, receipt }) => ({
      id,
      at: new Date(at).toISOString(),
      before,
      outcome: receipt.outcome,
      tokens: receipt.tokens,
      messages: receipt.messages,
    }));
    const { tokens } = await context.prepare();
    await context.close();
    rows.push({ ...info, viewTokens: tokens, compactions });
    if (flags.json === true) continue;
    const when =
      info.lastAt === null
        ? ''
        : `, last written ${new Date(info.lastAt).toISOString().slice(0, 16).replace('T', ' ')}`;
    world.out(`${info.id}: ${whole(info.messages)} messages, view of ${whole(tokens)} tokens${when}\n`);
    for (const { id, outcome, tokens: size } of compactions)
      world.out(`  ${id}  ${outcome}  ${whole(size.before)} → ${whole(size.after)} tokens\n`);
  }
  if (flags.json === true) world.out(jsonText(rows));
}
