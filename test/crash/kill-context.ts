/** Kills agents in the middle of what they do to their context, and looks at what is left of it. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { memoryStore } from '../../src/context/store/memory-store.ts';
import { allText } from '../../src/core/conversation/message.ts';
import { refsIn } from '../../src/core/conversation/ref.ts';
import { sqliteStore } from '../../src/stores/index.ts';
import { openAgent, STEPS, stateOf } from './context-steps.ts';

export interface ContextKills {
  readonly kills: number;
  /** Of the steps under way: found as if not begun, or as if done. */
  readonly before: number;
  readonly after: number;
  readonly refs: number;
}

const writer = fileURLToPath(new URL('context-writer.ts', import.meta.url));
const PARALLEL = 2;

/** Kills before SQL calls that are spread evenly over all that the steps make. */
export async function killContexts(kills: number): Promise<ContextKills> {
  const folder = mkdtempSync(join(tmpdir(), 'precis-context-'));
  try {
    const lines = await runWriter(join(folder, 'counted.db'), null);
    const calls = Number(/^calls (\d+)$/m.exec(lines)?.[1]);
    if (!(calls > 50)) throw new Error(`the agent did not finish: ${lines}`);
    const expected = await expectedStates();
    const points = Array.from({ length: kills }, (_, n) => 1 + Math.floor((n * calls) / kills));
    let [before, after, refs] = [0, 0, 0];
    const work = async (): Promise<void> => {
      for (let at = points.pop(); at !== undefined; at = points.pop()) {
        const file = join(folder, `kill-${at}-${points.length}.db`);
        const found = await examine(file, await runWriter(file, at), expected);
        if (found.isAfter) after++;
        else before++;
        refs += found.refs;
        for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(`${file}${suffix}`, { force: true });
      }
    };
    const ended = await Promise.allSettled(Array.from({ length: PARALLEL }, work));
    for (const one of ended) if (one.status === 'rejected') throw one.reason;
    return { kills, before, after, refs };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

type State = ReturnType<typeof stateOf>;

/** The context after no step, after the first, and so on, of an agent that nobody kills. */
async function expectedStates(): Promise<readonly State[]> {
  const context = await openAgent(memoryStore());
  const states = [stateOf(context, true)];
  for (const step of STEPS) {
    await step(context);
    states.push(stateOf(context, false));
  }
  return states;
}

async function examine(
  file: string,
  lines: string,
  expected: readonly State[],
): Promise<{ readonly isAfter: boolean; readonly refs: number }> {
  const done = lines.split('\n').filter((line) => line.startsWith('done ')).length;
  // An hour later the lease of the killed process has ended.
  const store = sqliteStore(file, { now: () => Date.now() + 3_600_000 });
  try {
    const context = await openAgent(store);
    const isEmpty = (await store.contexts()).every(({ messages }) => messages === 0);
    const found = stateOf(context, isEmpty);
    const at = [done, done + 1].find((step) => expected[step]?.view === found.view);
    if (at === undefined) throw new Error(`after ${done} steps the view is neither the one before nor the one after`);
    if (found.said < (expected[done]?.said ?? 0)) throw new Error(`after ${done} steps messages are lost`);
    const refs = isEmpty ? [] : context.conversation().messages.flatMap((message) => refsIn(allText(message)));
    for (const ref of refs) if (context.original(ref) === null) throw new Error(`${ref} leads nowhere`);
    await context.close();
    return { isAfter: at > done, refs: refs.length };
  } finally {
    await store.close();
    checkIntegrity(file);
  }
}

function checkIntegrity(file: string): void {
  const database = new DatabaseSync(file);
  const answer = database.prepare('PRAGMA integrity_check').get();
  database.close();
  if (answer?.['integrity_check'] !== 'ok') throw new Error(`${file} is damaged: ${JSON.stringify(answer)}`);
}

function runWriter(file: string, killAt: number | null): Promise<string> {
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', writer, JSON.stringify({ file, killAt })],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (signal === 'SIGKILL' || code === 0) resolve(text);
      else reject(new Error(`the agent ended with ${code ?? signal}`));
    });
  });
}
