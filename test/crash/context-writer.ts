/** A process that goes through the steps of an agent and ends itself before a chosen SQL call. Says which steps are done. */
import { writeSync } from 'node:fs';
import { sqliteStore } from '../../src/stores/index.ts';
import { openAgent, STEPS } from './context-steps.ts';
import { killBeforeCall } from './kill-before-call.ts';

const { file, killAt } = JSON.parse(process.argv[2] ?? '') as { readonly file: string; readonly killAt: number | null };
const calls = killBeforeCall(killAt);
const store = sqliteStore(file, { leaseMs: 30 });
const context = await openAgent(store);
writeSync(1, 'open\n');
for (const [index, step] of STEPS.entries()) {
  await step(context);
  writeSync(1, `done ${index}\n`);
}
await context.close();
await store.close();
writeSync(1, `calls ${calls()}\n`);
