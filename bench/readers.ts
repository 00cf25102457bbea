import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface ReaderRow {
  readonly what: string;
  /** Size of the file in bytes. */
  readonly bytes: number;
  readonly tokens: number;
  readonly messages: number;
  readonly readMs: number;
  /** Most memory the process that read it ever held, less what it held before. */
  readonly peakBytes: number;
}

interface Shape {
  readonly what: string;
  /** Size to be reached, in bytes. */
  readonly bytes: number;
  /** Bytes of a tool result that the conversation keeps. */
  readonly output: number;
  /** Bytes beside each message that nobody needs: results once more, snapshots of files. */
  readonly unused: number;
}

/** About what real logs of Claude Code hold, and ones whose weight is all in fields that are not kept. */
const SHAPES: readonly Shape[] = [
  { what: '300K tokens', bytes: 3_200_000, output: 2_000, unused: 2_000 },
  { what: 'heavy unused fields', bytes: 300_000_000, output: 2_000, unused: 200_000 },
  { what: 'beyond one string', bytes: 800_000_000, output: 2_000, unused: 400_000 },
];

/** Writes logs of Claude Code and reads each in a process of its own, since memory is measured. */
export function* readersOf(): Generator<ReaderRow> {
  const folder = mkdtempSync(join(tmpdir(), 'precis-bench-'));
  try {
    for (const shape of SHAPES) {
      const path = join(folder, 'log.jsonl');
      writeLog(path, shape);
      const { stdout, stderr, status } = spawnSync(process.execPath, [fileURLToPath(import.meta.url), path], {
        encoding: 'utf8',
      });
      if (status !== 0) throw new Error(stderr);
      yield {
        what: shape.what,
        bytes: statSync(path).size,
        ...(JSON.parse(stdout) as Omit<ReaderRow, 'what' | 'bytes'>),
      };
      rmSync(path);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function writeLog(path: string, { bytes, output, unused }: Shape): void {
  const file = openSync(path, 'w');
  const words = 'const total = items.reduce((sum, item) => sum + item.price * item.count, 0); // the cart\n';
  const heavy = words.repeat(Math.ceil(unused / words.length));
  let size = 0;
  let previous: string | null = null;
  const line = (value: object): void => {
    size += writeSync(file, `${JSON.stringify(value)}\n`);
  };
  for (let step = 0; size < bytes; step++) {
    const envelope = (kind: string, more: object): object => {
      const uuid = `${kind}-${step}`;
      const value = {
        uuid,
        parentUuid: previous,
        isSidechain: false,
        sessionId: 's',
        cwd: '/shop',
        timestamp: '2026-03-01T10:00:00.000Z',
        ...more,
      };
      previous = uuid;
      return value;
    };
    const usage = { input_tokens: 9, cache_read_input_tokens: 1000, cache_creation_input_tokens: 9, output_tokens: 50 };
    const answer = { id: `msg_${step}`, role: 'assistant', model: 'claude-sonnet-5', usage };
    const call = { type: 'tool_use', id: `t${step}`, name: 'Bash', input: { command: `cat src/file-${step}.ts` } };
    const text = `${step} ${words.repeat(Math.ceil(output / words.length))}`;
    if (step % 10 === 0)
      line(envelope('user', { type: 'user', message: { role: 'user', content: `Fix file ${step}.` } }));
    line(
      envelope('text', {
        type: 'assistant',
        message: { ...answer, content: [{ type: 'text', text: `I look at file ${step}.` }] },
      }),
    );
    line(envelope('call', { type: 'assistant', message: { ...answer, content: [call] } }));
    line(
      envelope('result', {
        type: 'user',
        message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: `t${step}`, content: text }] },
        toolUseResult: { stdout: heavy, stderr: '', interrupted: false },
      }),
    );
    if (step % 5 === 0)
      line({ type: 'file-history-snapshot', messageId: `result-${step}`, snapshot: { backup: heavy } });
  }
  closeSync(file);
}

/** In a process of its own: reads the log and prints what that took. */
async function readOnce(path: string): Promise<void> {
  const { openSessionFile } = await import('../src/sessions/index.ts');
  const { createMeasure } = await import('../src/core/tokens/measure.ts');
  const { o200k } = await import('../src/models/o200k.ts');
  const before = process.resourceUsage().maxRSS * 1024;
  const started = performance.now();
  const { conversation } = await openSessionFile(path);
  const readMs = performance.now() - started;
  const peakBytes = process.resourceUsage().maxRSS * 1024 - before;
  const tokens = createMeasure(o200k).conversation(conversation);
  process.stdout.write(JSON.stringify({ tokens, messages: conversation.messages.length, readMs, peakBytes }));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await readOnce(process.argv[2] ?? '');
