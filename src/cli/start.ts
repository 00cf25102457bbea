import { run } from './program.ts';
import { realWorld } from './world.ts';

/** Runs the command line as a process and gives the exit code. */
export async function start(args: readonly string[]): Promise<number> {
  // A reader that has seen enough (`| head -1`) closes the pipe. That is not an error, but there is nothing left to do.
  let isOver = false;
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      isOver = true;
      if (error.code === 'EPIPE') process.exit(0);
      throw error;
    });
  // The user's own code, such as a compactor to evaluate, may end the process, never settle, or throw where nobody awaits it.
  process.on('exit', (code) => {
    if (isOver || (code !== 0 && code !== UNSETTLED)) return;
    process.stderr.write('precis: ended before the work was done: something never answered, or ended the process\n');
    process.exitCode = 2;
  });
  process.on('uncaughtException', (error) => {
    isOver = true;
    process.stderr.write(`precis: ended by an uncaught error: ${error.message}\n`);
    process.exit(2);
  });
  silenceSqliteWarning();
  const code = await run(args, realWorld());
  isOver = true;
  return code;
}

/** Node's exit code for a top-level promise that never settled. */
const UNSETTLED = 13;

/** Node 22 warns that its SQLite is experimental, which a user cannot change. Other warnings are still shown. */
function silenceSqliteWarning(): void {
  const printers = process.listeners('warning');
  process.removeAllListeners('warning');
  process.on('warning', (warning) => {
    if (warning.name === 'ExperimentalWarning' && warning.message.includes('SQLite')) return;
    for (const print of printers) print(warning);
  });
}
