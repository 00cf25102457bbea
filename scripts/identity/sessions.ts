import { createHash } from 'node:crypto';
import type { Any, Load, Put } from './put.ts';

/** Everything the library makes of one session: views, receipts, handoffs, prompts, a living context. */
export async function hashSession(load: Load, file: string, name: string, put: Put): Promise<void> {
  const core: Any = await load('index.js');
  const sessions: Any = await load('sessions/index.js');
  const testing: Any = await load('testing/index.js');
  let document: Any;
  try {
    document = await sessions.openSessionFile(file, {});
  } catch (error) {
    put(`text unreadable ${name}`, String(error));
    return;
  }
  const { conversation, format } = document;
  put(`view read ${name}`, document.write(conversation));
  const size = core.createMeasure(core.heuristicCounter).conversation(conversation);
  for (const [label, target] of [
    ['10%', Math.max(1500, Math.round(size / 10))],
    ['30%', Math.round(size * 0.3)],
    ['2000t', 2000],
  ] as const) {
    const done = await core.compact(conversation, format, {
      target,
      window: Math.max(target * 2, 128_000),
      openReasoning: 'strip',
    });
    put(`view ${label} ${name}`, format.encode(done.conversation));
    put(`receipt ${label} ${name}`, done.receipt);
    if (label !== '10%') continue;
    for (const [kind, script] of [
      ['good', testing.behave.good],
      ['lying', testing.behave.lying],
      ['forgetful', testing.behave.forgetful],
      [
        'answer',
        testing.behave.answer(`## Goal\n- Finish the task (#2)\n## Key Decisions\n${firstWords(conversation)}`),
      ],
    ] as const) {
      if (script === undefined) continue;
      const model = testing.scriptedModel(script);
      const written = await core.compact(conversation, format, {
        target,
        window: Math.max(target * 2, 128_000),
        openReasoning: 'strip',
        summarizer: core.singleSummarizer(model),
        focus: 'the tests',
      });
      put(`model view ${kind} ${name}`, format.encode(written.conversation));
      put(`model receipt ${kind} ${name}`, written.receipt);
      put(`model prompts ${kind} ${name}`, model.requests);
      const again = await core.compact(written.conversation, format, {
        target: Math.round(target * 0.8),
        window: Math.max(target * 2, 128_000),
        openReasoning: 'strip',
        summarizer: core.singleSummarizer(testing.scriptedModel(script)),
      });
      put(`model again ${kind} ${name}`, [format.encode(again.conversation), again.receipt]);
    }
    const redacted =
      core.redactText === undefined
        ? ''
        : core.redactText(JSON.stringify(format.encode(done.conversation)).slice(0, 50_000));
    put(`view redacted ${name}`, redacted);
  }
  put(`handoff ledger ${name}`, core.ledgerOf(conversation.messages));
  await hashContext(core, conversation, name, put);
}

function firstWords(conversation: Any): string {
  return conversation.messages
    .flatMap((message: Any, at: number) =>
      message.parts
        .filter((part: Any) => part.type === 'text' && part.text.length > 40)
        .map((part: Any) => `- ${part.text.replaceAll(/\s+/g, ' ').slice(0, 180)} (#${at + 1})`),
    )
    .slice(0, 12)
    .join('\n');
}

async function hashContext(core: Any, conversation: Any, name: string, put: Put): Promise<void> {
  const window = Math.max(8_000, Math.round(core.createMeasure(core.heuristicCounter).conversation(conversation) / 3));
  const context = await core
    .openContext({
      id: 'c',
      models: [{ id: 'm', contextWindow: window, maxOutput: 1000 }],
      now: () => 0,
      openReasoning: 'strip',
      trim: {},
    })
    .catch((error: unknown) => error);
  if (context instanceof Error) {
    put(`text context ${name}`, String(context));
    return;
  }
  const seen: unknown[] = [];
  for (const event of ['compaction:end', 'compaction:refused', 'pressure', 'model:switched'])
    context.on(event, (data: unknown) => seen.push([event, data]));
  const hash = createHash('sha256');
  const note = (value: unknown): void => void hash.update(JSON.stringify(value) ?? 'undefined');
  try {
    const steps = Math.max(1, Math.ceil(conversation.messages.length / 12));
    for (let at = 0; at < conversation.messages.length; at += steps) {
      await context.absorb(
        core.append(
          { ...conversation, messages: conversation.messages.slice(0, at) },
          conversation.messages.slice(at, at + steps),
        ),
      );
      note(await context.prepare());
    }
    note(await context.recall('Which port, path or version was used?'));
    note(await context.recall('#2'));
    note(context.metrics());
    note(context.compactions());
    if (context.compactions().length > 0) put(`text diff ${name}`, core.diffText(context.diff()));
    note(await context.undo());
    note(await context.compact({ target: Math.round(window / 4) }));
    note(await context.restore(null));
    note(
      await context.fallback({ status: 400, message: `prompt is too long: ${window + 10} tokens > ${window} maximum` }),
    );
    note(core.recallTool);
    note(await core.runRecall(context, { query: 'Which port, path or version was used?' }));
    note(seen);
    put(`context ${name}`, hash.digest('hex'));
  } catch (error) {
    put(`context ${name}`, `${hash.digest('hex')} ${String(error)}`);
  } finally {
    await context.close();
  }
}
