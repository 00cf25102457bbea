import { Command, CommanderError } from 'commander';
import { compactCommand } from './commands/compact/compact.ts';
import { convertCommand } from './commands/convert.ts';
import { demoCommand } from './commands/demo.ts';
import { doctorCommand } from './commands/doctor/doctor.ts';
import { evalCommand } from './commands/eval/eval.ts';
import { noiseCommand } from './commands/eval/noise.ts';
import { historyCommand } from './commands/history/history.ts';
import { modelsCommand } from './commands/models/models.ts';
import { probesCommand } from './commands/probes/probes.ts';
import { replayCommand } from './commands/replay/replay.ts';
import { calibrateCommand } from './commands/results/calibrate.ts';
import { compareCommand } from './commands/results/compare.ts';
import { reportCommand } from './commands/results/report.ts';
import { scrubCommand } from './commands/scrub/scrub.ts';
import { sessionsCommand } from './commands/sessions/sessions.ts';
import { showCommand } from './commands/show.ts';
import { errorSentence } from './error-sentence.ts';
import { version } from './version.ts';
import type { World } from './world.ts';

/** Exit codes: 0 success, 1 a check failed, 2 invalid usage or input, 3 too little data to decide. */
export const EXIT_DONE = 0;
export const EXIT_WRONG = 2;

/** Runs the command line and gives its exit code. A user's mistake never makes it throw. */
export async function run(args: readonly string[], world: World): Promise<number> {
  let exit: number = EXIT_DONE;
  const program = createProgram(world, (code) => {
    exit = code;
  });
  try {
    await program.parseAsync([...args], { from: 'user' });
    return exit;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT_DONE : EXIT_WRONG;
    world.err(`${errorSentence(error)}\n`);
    return EXIT_WRONG;
  }
}

function createProgram(world: World, finish: (code: number) => void): Command {
  const program = new Command('precis')
    .description('Context compaction for LLM agents that you can measure, undo and trust.')
    .version(version(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show this help')
    .helpCommand('help [command]', 'show help for a command')
    .exitOverride()
    .showHelpAfterError('Run the command with `--help` for usage.')
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .configureOutput({
      writeOut: world.out,
      writeErr: world.err,
      outputError: (text, write) => write(text.replace(/^error: /, 'precis: ')),
      getOutHelpWidth: () => world.outScreen.columns,
      getErrHelpWidth: () => world.errScreen.columns,
      getOutHasColors: () => world.outScreen.colors,
      getErrHasColors: () => world.errScreen.colors,
    })
    .addHelpText('after', EXAMPLES);
  const commands = [
    compactCommand(world, finish),
    showCommand(world),
    historyCommand(world),
    sessionsCommand(world),
    convertCommand(world),
    scrubCommand(world, finish),
    probesCommand(world, finish),
    compareCommand(world, finish),
    reportCommand(world, finish),
    calibrateCommand(world, finish),
    replayCommand(world),
    demoCommand(world),
    evalCommand(world, finish),
    noiseCommand(world, finish),
    modelsCommand(world),
    doctorCommand(world, finish),
  ];
  for (const command of commands) {
    program.addCommand(command.copyInheritedSettings(program));
    for (const part of command.commands) part.copyInheritedSettings(command);
  }
  return program;
}

const EXAMPLES = `
Examples:
  precis demo
  precis compact session.json --target 10000 --out smaller.json
  precis scrub session.json --out fixtures
  precis eval
  precis help compact

Exit codes: 0 success, 1 a check failed, 2 invalid usage or input,
3 too little data to decide.`;
