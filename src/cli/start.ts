import { run } from './program.ts';
import { realWorld } from './world.ts';

/** The command line as a process: gives the exit code. */
export async function start(args: readonly string[]): Promise<number> {
  // A reader that has seen enough (`| head -1`) closes the pipe. That is no error, and no reason to go on.
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') process.exit(0);
      throw error;
    });
  silenceSqliteWarning();
  return run(args, realWorld());
}

/** Node 22 says of its SQLite that it is experimental, to a user who can do nothing about it. Other warnings are shown as ever. */
function silenceSqliteWarning(): void {
  const printers = process.listeners('warning');
  process.removeAllListeners('warning');
  process.on('warning', (warning) => {
    if (warning.name === 'ExperimentalWarning' && warning.message.includes('SQLite')) return;
    for (const print of printers) print(warning);
  });
}
