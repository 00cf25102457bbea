import { Command } from 'commander';
import { PrecisError } from '../../core/errors.ts';
import type { Model } from '../../core/model.ts';
import type { BankCheck, Finding } from '../../eval/probes/check/check.ts';
import type { Draft } from '../../eval/probes/draft/draft.ts';
import type { Environment } from '../../models/providers.ts';
import { checkOutput, writeOutput } from '../disk/output-file.ts';
import { fixtureName } from '../fixtures/fixture-name.ts';
import { wholeNumber } from '../flags.ts';
import { counted } from '../screen/paint.ts';
import { openOptions, type SessionFlags } from '../session-flags.ts';
import type { World } from '../world.ts';

interface ProbesFlags extends SessionFlags {
  readonly check?: boolean;
  readonly out?: string;
  readonly count: number;
  readonly model?: string;
  readonly force?: boolean;
  readonly json?: boolean;
}

/** More than a person reads with care, of one session. */
const MOST_PROBES = 200;
const USUAL_COUNT = 10;

export function probesCommand(world: World, finish: (code: number) => void, env: Environment = process.env): Command {
  return new Command('probes')
    .description('Draft questions that tell whether a compaction kept what matters, or check a bank of them.')
    .argument(
      '<places...>',
      'a session to draft from; with `--check`, fixtures: folders, session files, or names in ./fixtures',
    )
    .option('--check', 'check the probes of fixtures instead of drafting')
    .option('-o, --out <file>', 'write the draft here (default: standard output)')
    .option('--count <n>', 'most probes to draft', wholeNumber(1), USUAL_COUNT)
    .option('--model <name>', 'model that proposes decisions and reasons besides; its answers are verified')
    .option('--force', 'overwrite the file')
    .option('--json', 'print all that was found as JSON on standard output, and nothing else')
    .option('--from <format>', 'format of the session (default: found by content)')
    .option('--since-compaction', 'of a log, what its model saw after its last compaction (default: all that was said)')
    .option('--run <n>', 'of a file with several runs, take this one (default: the first)', wholeNumber(1))
    .addHelpText('after', EXAMPLES)
    .action(async (places: readonly string[], flags: ProbesFlags) => {
      if (flags.check === true) finish(await runCheck(world, places, flags));
      else await runDraft(world, places, flags, env);
    });
}

const EXAMPLES = `
Examples:
  Draft ten probes from a session, read them, and keep the good ones:
    precis probes session.json --out fixtures/mine/probes.json
  With a model that proposes decisions and reasons:
    precis probes session.json --model anthropic/claude-haiku-4-5 --count 15 --out probes.json
  Check the probes of all fixtures, or of one:
    precis probes --check fixtures
    precis probes --check fixtures/rate-limiter

Exit codes: 0 done; 1 a probe is unsound; 2 wrong usage or input.`;

async function runDraft(world: World, places: readonly string[], flags: ProbesFlags, env: Environment): Promise<void> {
  const [path, ...others] = places;
  if (path === undefined || others.length > 0)
    throw new PrecisError('bad-option', `expected one session to draft from, got ${places.length}`);
  if (flags.count > MOST_PROBES)
    throw new PrecisError('bad-option', `expected \`--count\` to be at most ${MOST_PROBES}, got ${flags.count}`);
  if (flags.out !== undefined) await checkOutput(world, flags.out, flags.force === true);
  const { conversation } = await world.open(path, openOptions(flags));
  const model = await modelFrom(world, flags, env);
  const [{ draftBank }, { bankText }] = await Promise.all([
    import('../../eval/probes/draft/draft.ts'),
    import('../../eval/probes/bank.ts'),
  ]);
  const draft = await draftBank(conversation, {
    fixture: fixtureName(path),
    count: flags.count,
    secretsIn: await secretFinder(),
    ...(model === null ? {} : { model }),
  });
  const text = bankText(draft.bank);
  if (flags.out !== undefined) await writeOutput(world, flags.out, text, flags.force === true);
  if (flags.json === true) world.out(`${JSON.stringify(jsonOf(draft, text), null, 2)}\n`);
  else if (flags.out === undefined) world.out(text);
  if (flags.json !== true) for (const line of draftLines(draft, flags)) world.err(`${line}\n`);
}

/** The draft as it would be written, and what was not taken. */
function jsonOf({ rejected, dropped, candidates }: Draft, text: string): object {
  return { bank: JSON.parse(text) as unknown, candidates, rejected, dropped };
}

function draftLines({ bank, rejected, dropped, candidates }: Draft, { count, out }: ProbesFlags): readonly string[] {
  const { probes } = bank;
  return [
    `${counted(probes.length, 'probe')} of ${counted(candidates, 'candidate')}; ${rejected.length} failed a gate.`,
    ...dropped,
    ...(probes.length < count ? [`Fewer than ${count}: the session says no more that can be asked for soundly.`] : []),
    ...(out === undefined ? [] : [`Written to ${out}. Read every question before you use it; a draft is no bank.`]),
  ];
}

async function modelFrom(world: World, flags: ProbesFlags, env: Environment): Promise<Model | null> {
  if (flags.model === undefined) return null;
  const [{ namedModel }, { environmentWith, loadConfig }] = await Promise.all([
    import('../../models/named.ts'),
    import('../models/config.ts'),
  ]);
  const named = namedModel(flags.model, { env: environmentWith(await loadConfig(world), env) });
  if (named.type === 'unavailable') throw new PrecisError('bad-option', `${flags.model}: ${named.message}`);
  if (named.warning !== null) world.err(`${named.warning}\n`);
  world.err(`${named.model.id} reads the session once.\n`);
  return named.model;
}

async function runCheck(world: World, places: readonly string[], { json, out }: ProbesFlags): Promise<number> {
  if (out !== undefined) throw new PrecisError('bad-option', '`--check` writes nothing; leave out `--out`');
  const [{ openFixtures }, { checkBank }] = await Promise.all([
    import('../fixtures/fixtures.ts'),
    import('../../eval/probes/check/check.ts'),
  ]);
  const secretsIn = await secretFinder();
  const checks: BankCheck[] = [];
  for (const { fixture, bank, conversation } of await openFixtures(world, places)) {
    if (bank === null)
      throw new PrecisError(
        'bad-input',
        `${fixture.file}: expected probes beside it, in probes.json, but there are none`,
      );
    checks.push(checkBank(fixture, bank, { conversation, secretsIn }));
  }
  const isOk = checks.every(({ ok }) => ok);
  if (json === true) world.out(`${JSON.stringify({ ok: isOk, fixtures: checks }, null, 2)}\n`);
  else world.out(checks.map(checkText).join(''));
  return isOk ? 0 : 1;
}

function checkText({ fixture, probes, facts, findings, rejected }: BankCheck): string {
  const warnings = findings.filter(({ severity }) => severity === 'warning').length;
  const sound = `${probes - rejected.length} of ${counted(probes, 'probe')} sound`;
  const head = `${fixture}: ${sound}, ${counted(facts, 'fact')}${warnings === 0 ? '' : `, ${counted(warnings, 'warning')}`}\n`;
  return head + findings.map((finding) => `  ${findingText(finding)}\n`).join('');
}

function findingText({ probe, gate, severity, fact, text }: Finding): string {
  const subject = fact === null ? '' : `\`${fact}\` `;
  return `${severity === 'unsound' ? 'unsound' : 'warning'}  ${probe} (${gate}): ${subject}${text}`;
}

/** Everything that the scrubber would replace in a text, by rule. */
async function secretFinder(): Promise<(text: string) => readonly string[]> {
  const { createScrubber } = await import('../../scrub/scrub-text.ts');
  const scrubber = createScrubber();
  return (text) => scrubber.leftIn(text).map(({ rule }) => rule);
}
