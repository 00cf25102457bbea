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
  return run(args, realWorld());
}
