import { writeFile } from 'node:fs/promises';
import { measuredCommit } from '../commit.ts';
import { LOOPS_HELP, type LoopsRequest, parseLoopsFlags } from './flags.ts';
import { faultsOf } from './loop-result.ts';
import { allSpecs } from './loop-spec.ts';
import { pageOf } from './page.ts';
import { playAll } from './play-all.ts';
import { type Played, terminalTable } from './table.ts';

const BAD_INPUT = 2;

export interface Outputs {
  readonly print: (line: string) => void;
  readonly progress: (line: string) => void;
}

/** `npm run bench loops`. Returns the exit code. */
export async function runLoops(argv: readonly string[], { print, progress }: Outputs): Promise<number> {
  const flags = parseLoopsFlags(argv);
  switch (flags.type) {
    case 'help':
      print(LOOPS_HELP.trimEnd());
      return 0;
    case 'bad':
      progress(flags.sentence);
      return BAD_INPUT;
    case 'run':
      return play(flags.request, { print, progress });
  }
}

async function play({ only, seed, check, save }: LoopsRequest, { print, progress }: Outputs): Promise<number> {
  const specs = allSpecs().filter(({ name }) => only.length === 0 || only.some((part) => name.startsWith(part)));
  if (specs.length === 0) {
    progress(`There is no loop whose name begins with ${only.join(' or ')}. See npm run bench loops -- --help`);
    return BAD_INPUT;
  }
  const started = performance.now();
  const results = await playAll(specs, seed, progress);
  const played = specs.flatMap((spec, index): readonly Played[] => {
    const result = results[index];
    return result === undefined ? [] : [{ spec, result }];
  });
  print(`${specs.length} agent loops`);
  for (const line of terminalTable(played)) print(line);
  const bad = results.filter((result) => faultsOf(result).length > 0);
  for (const result of bad) {
    print('');
    print(`${result.name}: ${faultsOf(result).join('; ')}`);
    for (const note of result.notes) print(`  ${note}`);
  }
  const seconds = (ms: number): string => `${(ms / 1_000).toFixed(0)} s`;
  const took = `${seconds(performance.now() - started)}, ${seconds(results.reduce((sum, { ms }) => sum + ms, 0))} of processor time`;
  print('');
  print(`${results.length - bad.length} of ${results.length} without a fault; ${took}`);
  if (save)
    await writeFile(new URL('../../docs/loops.md', import.meta.url), pageOf(played, measuredCommit() ?? 'unknown'));
  return check && bad.length > 0 ? 1 : 0;
}
