import { basename } from 'node:path';
import { PrecisError } from '../../../core/errors.ts';
import type { ScrubInput, ScrubOptions } from '../../../scrub/scrub.ts';
import { sessionName } from '../../../sessions/index.ts';
import { fixtureName } from '../../fixtures/fixture-name.ts';
import { openOptions } from '../../flags/session-flags.ts';
import type { World } from '../../world.ts';
import type { ScrubFlags } from './flags.ts';

export async function optionsFrom(world: World, flags: ScrubFlags): Promise<ScrubOptions> {
  const { names, rules, firstMessage, keepSystem, maxOutput, maxSize, maxTotal } = flags;
  const readers = names === undefined && rules === undefined ? null : await import('../../../scrub/user/user-files.ts');
  const read = (path: string, flag: string): Promise<string> => readGiven(world, path, flag);
  return {
    maxOutput,
    maxSize,
    maxTotal,
    ...(keepSystem === true ? { keepSystem } : {}),
    ...(names === undefined || readers === null
      ? {}
      : { names: readers.parseNames(await read(names, '--names'), names) }),
    ...(rules === undefined || readers === null
      ? {}
      : { rules: readers.parseRules(await read(rules, '--rules'), rules) }),
    ...(firstMessage === undefined ? {} : { firstMessage: (await read(firstMessage, '--first-message')).trim() }),
  };
}

async function readGiven(world: World, path: string, flag: string): Promise<string> {
  if (path !== '-' && (await world.kindOf(path)) !== 'file')
    throw new PrecisError('bad-option', `expected \`${flag}\` to name a file, got \`${path}\``);
  return world.read(path);
}

export async function readInputs(
  world: World,
  paths: readonly string[],
  flags: ScrubFlags,
): Promise<readonly ScrubInput[]> {
  const inputs: ScrubInput[] = [];
  for (const path of paths) {
    const { format, conversation } = await world.open(path, openOptions(flags));
    inputs.push({
      name: distinctName(fixtureName(path), inputs),
      source: basename(sessionName(path)),
      format,
      conversation,
    });
  }
  return inputs;
}

function distinctName(name: string, others: readonly ScrubInput[]): string {
  let own = name;
  for (let number = 2; others.some((other) => other.name === own); number++) own = `${name}-${number}`;
  return own;
}
