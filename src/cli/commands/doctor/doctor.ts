import { Command } from 'commander';
import { jsonText } from '../../screen/json-text.ts';
import { paintFor } from '../../screen/paint.ts';
import { wrapAt } from '../../screen/wrap.ts';
import type { Screen, World } from '../../world.ts';
import type { Check } from './check.ts';
import { catalogCheck, configCheck, folderCheck, keyChecks, nodeCheck, tokenizerCheck } from './installation.ts';
import { modelChecks } from './model.ts';
import { serverChecks } from './servers.ts';
import { realSurroundings, type Surroundings } from './surroundings.ts';

interface DoctorFlags {
  readonly json?: boolean;
  readonly model?: string;
  readonly live?: boolean;
  readonly config?: string;
}

export function doctorCommand(
  world: World,
  finish: (code: number) => void,
  surroundings: Surroundings = realSurroundings(),
): Command {
  return new Command('doctor')
    .summary('check keys, servers, configuration and permissions')
    .description('Check what works here and what is missing: keys, servers, configuration, permissions.')
    .option('--model <name>', 'model that must work, e.g. anthropic/claude-haiku-4-5')
    .option('--live', 'send one tiny request to the model')
    .option('--json', 'print JSON')
    .option('--config <file>', 'configuration file (default: precis.config.json, if it exists)')
    .addHelpText('after', EXAMPLES)
    .action(async (flags: DoctorFlags) => {
      const checks = await checkUp(world, flags, surroundings);
      const isAsked = flags.model !== undefined || flags.live === true;
      const fails =
        isAsked && checks.some(({ name, status }) => (name === 'model' || name === 'live') && status !== 'ok');
      world.out(
        flags.json === true ? jsonText({ version: 1, ok: !fails, checks }) : screenText(checks, world.outScreen),
      );
      finish(fails ? 1 : 0);
    });
}

const EXAMPLES = `
Examples:
  precis doctor
  precis doctor --model anthropic/claude-haiku-4-5 --live
  precis doctor --json

precis never prints keys. Without --live it sends nothing beyond this machine,
except that it asks a server you configured for its list of models.

Exit codes: 0 compaction works, which needs no model; 1 the model that you asked
for with --model or --live does not work.`;

async function checkUp(world: World, flags: DoctorFlags, surroundings: Surroundings): Promise<readonly Check[]> {
  const { check: config, found, env } = await configCheck(world, flags.config, surroundings.env);
  const configured: Surroundings = { ...surroundings, env };
  const [tokenizer, folder, servers, model] = await Promise.all([
    tokenizerCheck(),
    folderCheck(surroundings),
    serverChecks(configured),
    modelChecks({ name: flags.model ?? found?.config.model, isLive: flags.live === true }, configured),
  ]);
  return [
    nodeCheck(surroundings.nodeVersion),
    tokenizer,
    catalogCheck(),
    folder,
    config,
    ...keyChecks(env),
    ...servers,
    ...model,
  ];
}

const INDENT = 22;

function screenText(checks: readonly Check[], screen: Screen): string {
  const paint = paintFor(screen);
  const marks = { ok: paint('green', 'ok    '), missing: paint('dim', '-     '), failed: paint('yellow', 'failed') };
  const lines = checks.map(
    ({ name, status, text }) => `  ${marks[status]}  ${name.padEnd(10)}  ${wrapAt(INDENT, text, screen.columns)}`,
  );
  const works = checks.every(
    ({ name, status }) => !['node', 'tokenizer', 'config'].includes(name) || status !== 'failed',
  );
  const verdict = works ? 'Compaction works here; a model is optional.' : 'Something that compaction needs is broken.';
  return `${[verdict, '', ...lines].join('\n')}\n`;
}
