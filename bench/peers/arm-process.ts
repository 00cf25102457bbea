import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Answer, ChainDone, Job, Request } from './job.ts';
import type { SummariserPlace } from './types.ts';

/** An arm in a process of its own. */
export interface ArmProcess {
  readonly versions: readonly string[];
  /** What the process held once the package was loaded. */
  readonly residentBytes: number;
  chain(job: Omit<Extract<Job, { readonly type: 'chain' }>, 'type'>): Promise<ChainDone>;
  turns(job: Omit<Extract<Job, { readonly type: 'turns' }>, 'type'>): Promise<readonly number[]>;
  stop(): Promise<void>;
}

/** Retries of some peers take a minute. */
const JOB_MS = 300_000;

/** Starts a process and loads the arm in it. Rejects with the peer's own reason when it cannot be loaded. */
export async function startArm(arm: string, folder: string, place: SummariserPlace): Promise<ArmProcess> {
  const child = fork(fileURLToPath(new URL('worker.ts', import.meta.url)), {
    serialization: 'advanced',
    execArgv: ['--expose-gc', '--no-warnings'],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  // A bench that is stopped leaves nothing behind, not even a peer in the middle of a long loop.
  const killed = (): void => void child.kill('SIGKILL');
  process.once('exit', killed);
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => {
      process.off('exit', killed);
      resolve();
    });
  });
  const stop = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
  };
  const ask = async (request: Request): Promise<Answer> => {
    const answer = await new Promise<Answer>((resolve) => {
      const timer = setTimeout(() => settle({ type: 'failed', message: 'no answer in five minutes' }), JOB_MS);
      const onExit = (code: number | null): void =>
        settle({ type: 'failed', message: `the process ended with code ${code}` });
      const settle = (value: Answer): void => {
        clearTimeout(timer);
        child.off('message', settle);
        child.off('exit', onExit);
        resolve(value);
      };
      child.on('message', settle);
      child.on('exit', onExit);
      child.send(request);
    });
    if (answer.type === 'failed') throw new Error(answer.message);
    return answer;
  };
  const done = async (job: Job): Promise<Extract<Answer, { readonly type: 'done' }>['done']> => {
    const answer = await ask({ type: 'job', job });
    if (answer.type !== 'done') throw new Error(`expected a job to be done, got \`${answer.type}\``);
    return answer.done;
  };
  try {
    const answer = await ask({ type: 'load', arm, folder, place });
    if (answer.type !== 'loaded') throw new Error(`expected the arm to be loaded, got \`${answer.type}\``);
    return {
      versions: answer.versions,
      residentBytes: answer.residentBytes,
      chain: async (job) => {
        const result = await done({ type: 'chain', ...job });
        if (result.type !== 'chain') throw new Error('expected a chain');
        return result.chain;
      },
      turns: async (job) => {
        const result = await done({ type: 'turns', ...job });
        if (result.type !== 'turns') throw new Error('expected turns');
        return result.ms;
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
