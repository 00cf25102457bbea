/**
 * A whole agent loop: a long task against a (scripted) model server through compactions, an overloaded model, an undo and a recall. Take the
 * loop as it is; replace the server by a real one and `readLog` by your tools.
 */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openContext, recallTool, runRecall } from '../src/index.ts';
import { o200k } from '../src/models/o200k.ts';
import { sqliteStore } from '../src/stores/index.ts';
import { behave, startModelServer } from '../src/testing/index.ts';

const LOGS = 40;
const readLog = (number: number): string =>
  Array.from({ length: 60 }, (_, line) => `${line}: worker ${number} took ${(number * 131 + line * 17) % 900} ms`).join(
    '\n',
  ) + (number === 3 ? '\nERROR worker 3 lost its lease on shard 4411' : '');

// What the model will do: read one log after the other, fail once in between, look up what it has forgotten, and report.
const calls = Array.from({ length: LOGS }, (_, n) => behave.toolCall({ name: 'read_log', args: { number: n + 1 } }));
const server = await startModelServer([
  ...calls.slice(0, 25),
  behave.status(529),
  ...calls.slice(25),
  behave.toolCall({ name: 'recall', args: { query: 'Which shard did worker 3 lose its lease on?' } }),
  behave.answer('Worker 3 lost its lease on shard 4411; all others were fine.'),
]);

const store = sqliteStore(join(await mkdtemp(join(tmpdir(), 'precis-')), 'agent.db'));
const context = await openContext({
  id: 'log-reader',
  store,
  counter: o200k,
  models: [
    { id: 'large-model', contextWindow: 10_000, maxOutput: 2_000 },
    { id: 'small-model', contextWindow: 8_000, maxOutput: 2_000 },
  ],
});
context.on('compaction:end', ({ id, receipt: { outcome, tokens } }) =>
  console.log(`${id} ${outcome}: ${tokens.before} to ${tokens.after} tokens`),
);
context.on('model:switched', ({ to }) => console.log(`switched to ${to}`));

const tools = [
  {
    type: 'function',
    function: { name: 'read_log', parameters: { type: 'object', properties: { number: { type: 'integer' } } } },
  },
  recallTool.openaiChat,
];

interface Answer {
  readonly choices: readonly {
    readonly message: { readonly content: string | null; readonly tool_calls?: readonly ToolCall[] };
  }[];
  readonly usage: unknown;
}
interface ToolCall {
  readonly id: string;
  readonly function: { readonly name: string; readonly arguments: string };
}

async function ask(messages: unknown, model: string): Promise<Answer> {
  const response = await fetch(`${server.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages, tools }),
  });
  if (response.ok) return (await response.json()) as Answer;
  throw Object.assign(new Error(await response.text()), { status: response.status });
}

await context.append([
  { role: 'system', content: 'You read logs.' },
  { role: 'user', content: `Read logs 1 to ${LOGS} and tell me what went wrong. Never restart a worker.` },
]);

let model = 'large-model';
let recalled = '';
for (let isUndone = false; ; ) {
  const { request } = await context.prepare();
  let answer: Answer;
  try {
    answer = await ask(request, model);
  } catch (error) {
    const next = await context.fallback(error);
    if (next.action === 'give-up') throw error;
    model = next.model ?? model;
    continue;
  }
  await context.observe(answer.usage);
  const message = answer.choices[0]?.message;
  await context.append({ role: 'assistant', ...message });
  if (message?.tool_calls === undefined) {
    console.log(`answer: ${message?.content}`);
    break;
  }
  for (const call of message.tool_calls) {
    const isRecall = call.function.name === 'recall';
    const content = isRecall
      ? await runRecall(context, call.function.arguments)
      : readLog(JSON.parse(call.function.arguments).number);
    if (isRecall) recalled = content;
    await context.append({ role: 'tool', tool_call_id: call.id, content });
  }
  // A person may take a compaction back; the next one comes when the history has grown.
  if (!isUndone && context.compactions().length === 2) {
    const undone = await context.undo();
    console.log(`undone: ${undone?.tokens} tokens again`);
    isUndone = true;
  }
}

console.log(`recalled: ${/ERROR.*/.exec(recalled)?.[0]}`);
const { compactions, folded, undone, recalls, turns } = context.metrics();
console.log(`${turns} turns, ${compactions} compactions (${folded} folded), ${undone} undone, ${recalls} recalled`);
await context.close();
await server.close();
