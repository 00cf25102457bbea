import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { PrecisError } from '../core/errors.ts';
import { compactCommand } from './commands/compact.ts';
import { demoCommand } from './commands/demo.ts';
import { showCommand } from './commands/show.ts';
import type { World } from './world.ts';

/** Exit codes: 0 done, 1 a gate failed, 2 wrong usage or input. */
export const EXIT_DONE = 0;
export const EXIT_WRONG = 2;

/** Runs the command line and gives its exit code. Never throws for what a user can do wrong. */
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
    world.err(`${sentenceOf(error)}\n`);
    return EXIT_WRONG;
  }
}

function createProgram(world: World, finish: (code: number) => void): Command {
  const program = new Command('precis')
    .description('Context compaction for LLM agents that you can measure, undo and trust.')
    .version(version(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show this help')
    .exitOverride()
    .showHelpAfterError('Run `precis --help` to see how it is used.')
    .configureOutput({ writeOut: world.out, writeErr: world.err, getOutHasColors: () => world.colors });
  program.addCommand(compactCommand(world, finish));
  program.addCommand(showCommand(world));
  program.addCommand(demoCommand(world));
  for (const command of program.commands)
    command.exitOverride().configureOutput({ writeOut: world.out, writeErr: world.err });
  return program;
}

/** One sentence for people: our own errors say what to do, others at least say what happened. */
function sentenceOf(error: unknown): string {
  if (PrecisError.is(error)) return `precis: ${error.message}`;
  const text = error instanceof Error ? error.message : String(error);
  return `precis: unexpected error: ${text} (please report it)`;
}

function version(): string {
  const { version: text } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  return text;
}
