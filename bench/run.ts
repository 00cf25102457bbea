/** `npm run bench`: see `npm run bench -- --help`. Results go to standard output, progress to standard error. */
import { HELP, parseFlags, type Request, unwritable } from './flags.ts';
import { sections } from './sections.ts';
import { runSuite } from './speed/suite.ts';

const BAD_INPUT = 2;
const STOPPED = 130;

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const progress = (line: string): void => void process.stderr.write(`${line}\n`);

async function run(request: Request): Promise<number> {
  const problem = request.json === null ? null : await unwritable(request.json);
  if (problem !== null) {
    progress(`--json ${problem}`);
    return BAD_INPUT;
  }
  const slower = request.workloads.length > 0 && (await suite(request));
  if (slower === null) return STOPPED;
  // After the suite: these fill the memory of this process. A Ctrl-C ends them at once.
  for (const [index, section] of request.sections.entries()) {
    if (index > 0 || request.workloads.length > 0) print('');
    await sections[section](print, request);
  }
  return request.check && slower ? 1 : 0;
}

/** Whether a row is slower than noise allows; null when it was stopped. */
async function suite(request: Request): Promise<boolean | null> {
  const stop = new AbortController();
  const onInterrupt = (): void => stop.abort();
  process.once('SIGINT', onInterrupt);
  process.once('SIGTERM', onInterrupt);
  try {
    return await runSuite(request, stop.signal, { print, progress });
  } catch (error) {
    if (!stop.signal.aborted) throw error;
    progress('Stopped: the measuring process has ended, its files are removed, and nothing was written');
    return null;
  } finally {
    process.off('SIGINT', onInterrupt);
    process.off('SIGTERM', onInterrupt);
  }
}

const flags = parseFlags(process.argv.slice(2));
switch (flags.type) {
  case 'help':
    process.stdout.write(HELP);
    break;
  case 'loops': {
    const { runLoops } = await import('./loops/run.ts');
    process.exitCode = await runLoops(flags.argv, { print, progress });
    break;
  }
  case 'bad':
    progress(flags.sentence);
    process.exitCode = BAD_INPUT;
    break;
  case 'run':
    process.exitCode = await run(flags.request);
}
