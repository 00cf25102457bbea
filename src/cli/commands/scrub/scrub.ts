import { basename, dirname, join } from 'node:path';
import { Command } from 'commander';
import { PrecisError } from '../../../core/errors.ts';
import { MAX_OUTPUT, MAX_SIZE, MAX_TOTAL } from '../../../scrub/limits.ts';
import { type ReportRow, reportOf, reportText, type ScrubReport } from '../../../scrub/report.ts';
import type { ScrubInput, ScrubOptions, ScrubResult } from '../../../scrub/scrub.ts';
import { sessionName } from '../../../sessions/index.ts';
import { checkOutput, writeOutput } from '../../disk/output-file.ts';
import { fixtureName } from '../../fixtures/fixture-name.ts';
import { wholeNumber } from '../../flags.ts';
import { counted, whole } from '../../screen/paint.ts';
import { openOptions, type SessionFlags } from '../../session-flags.ts';
import type { World } from '../../world.ts';
import { type Load, secretlint } from './secretlint.ts';

interface ScrubFlags extends SessionFlags {
  readonly out?: string;
  readonly names?: string;
  readonly rules?: string;
  readonly firstMessage?: string;
  readonly keepSystem?: boolean;
  readonly maxOutput: number;
  readonly maxSize: number;
  readonly maxTotal: number;
  readonly report?: string | true;
  readonly json?: boolean;
  readonly force?: boolean;
}

export function scrubCommand(world: World, finish: (code: number) => void, load?: Load): Command {
  return new Command('scrub')
    .description('Take secrets and personal things out of sessions, so that they can be shared. The result is audited.')
    .argument(
      '<sessions...>',
      'logs of agents or files of messages that belong together; `-` reads one from standard input',
    )
    .option('-o, --out <folder>', 'write FOLDER/NAME/session.json for each session')
    .option('--names <file>', 'JSON with names of projects, hosts and people to replace, and names to keep')
    .option('--rules <file>', 'JSON with rules of your own')
    .option('--first-message <file>', 'text that takes the place of the first user message')
    .option('--keep-system', 'keep the system prompt, scrubbed, instead of a placeholder')
    .option(
      '--max-output <chars>',
      'longest output of a tool; longer ones lose their middle',
      wholeNumber(200),
      MAX_OUTPUT,
    )
    .option(
      '--max-size <bytes>',
      'most bytes of one result; longer sessions are cut off between steps',
      wholeNumber(1000),
      MAX_SIZE,
    )
    .option('--max-total <bytes>', 'most bytes of all results together', wholeNumber(1000), MAX_TOTAL)
    .option('--report [file]', 'say what was replaced and how often, by rule; `-` or no file is standard output')
    .option('--json', 'print the report as JSON on standard output, and nothing else')
    .option('--force', 'overwrite files')
    .option('--from <format>', 'format of the sessions (default: found by content)')
    .option(
      '--since-compaction',
      'of logs, what their model saw after its last compaction (default: all that was said)',
    )
    .option('--run <n>', 'of files with several runs, take this one (default: the first)', wholeNumber(1))
    .addHelpText('after', EXAMPLES)
    .action(async (paths: readonly string[], flags: ScrubFlags) => finish(await runScrub(world, paths, flags, load)));
}

const EXAMPLES = `
Examples:
  Only say what would be replaced:
    precis scrub session.json --report
  Into fixtures/NAME/session.json, several sessions of one person together:
    precis scrub monday.jsonl tuesday.jsonl --out fixtures
  With names of projects, hosts and people, and the first message in other words:
    precis scrub session.json --names names.json --first-message task.txt --out fixtures
  With rules of your own, and the report as a file:
    precis scrub session.json --rules rules.json --out fixtures --report report.txt

names.json: {"projects": {"Rocket": "gizmo"}, "hosts": ["build-7"], "people": ["Jane Doe"], "keep": ["curl"]}
rules.json: {"rules": [{"name": "ticket", "starts": ["RKT-"], "body": "\\\\d{2,6}", "replacement": "TICKET"}]}

Exit codes: 0 done; 1 the audit found something left, and nothing was written; 2 wrong usage or input.`;

async function runScrub(world: World, paths: readonly string[], flags: ScrubFlags, load?: Load): Promise<number> {
  checkFlags(paths, flags);
  if (typeof flags.report === 'string' && flags.report !== '-')
    await checkOutput(world, flags.report, flags.force === true);
  const options = await optionsFrom(world, flags);
  const inputs = await readInputs(world, paths, flags);
  const { scrubSessions } = await import('../../../scrub/scrub.ts');
  const scrubbed = scrubSessions(inputs, options);
  const files = flags.out === undefined ? [] : filesOf(flags.out, scrubbed);
  await checkFiles(world, files, flags);
  const opinion = await secretlint(load);
  const { result, by } = opinion === null ? { result: scrubbed, by: null } : await withOpinion(scrubbed, opinion);
  const report = reportOf(result, by);
  if (report.ok) for (const { path, text } of files) await writeFixture(world, path, text, flags.force === true);
  await tell(world, report, flags);
  return report.ok ? 0 : 1;
}

function checkFlags(paths: readonly string[], { firstMessage, json, report }: ScrubFlags): void {
  if (firstMessage !== undefined && paths.length > 1)
    throw new PrecisError(
      'bad-option',
      `expected one session with \`--first-message\`, got ${paths.length}: each has a first message of its own`,
    );
  if (json === true && (report === true || report === '-'))
    throw new PrecisError(
      'bad-option',
      '`--json` and `--report` both want standard output; give the report a file, or leave out one of them',
    );
}

async function optionsFrom(world: World, flags: ScrubFlags): Promise<ScrubOptions> {
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

async function readInputs(world: World, paths: readonly string[], flags: ScrubFlags): Promise<readonly ScrubInput[]> {
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

interface OutputFile {
  readonly path: string;
  readonly text: string;
}

function filesOf(folder: string, { sessions }: ScrubResult): readonly OutputFile[] {
  const seen = new Set<string>();
  return sessions.map((session) => {
    let name = session.folder;
    for (let number = 2; seen.has(name); number++) name = `${session.folder}-${number}`;
    seen.add(name);
    return { path: join(folder, name, 'session.json'), text: session.text };
  });
}

/** All before any is written: a run ends with every file or none. */
async function checkFiles(world: World, files: readonly OutputFile[], { force }: ScrubFlags): Promise<void> {
  for (const { path } of files) {
    for (const folder of [dirname(dirname(path)), dirname(path)])
      if (!['none', 'directory'].includes(await world.kindOf(folder)))
        throw new PrecisError('bad-option', `${folder}: expected a directory to write into, got a file`);
    if ((await world.kindOf(path)) !== 'none') await checkOutput(world, path, force === true);
  }
}

async function writeFixture(world: World, path: string, text: string, force: boolean): Promise<void> {
  await world.makeFolder(dirname(path));
  await writeOutput(world, path, text, force);
}

/** What secretlint finds counts like a find of our own. */
async function withOpinion(
  result: ScrubResult,
  opinion: (name: string, text: string) => Promise<readonly string[]>,
): Promise<{ readonly result: ScrubResult; readonly by: string }> {
  const sessions: ScrubResult['sessions'][number][] = [];
  for (const session of result.sessions) {
    const found = await opinion(`${session.folder}/session.json`, session.text);
    const rules = [...new Set(found)].sort();
    const left = rules.map((rule) => ({
      rule: `secretlint: ${rule}`,
      count: found.filter((one) => one === rule).length,
    }));
    sessions.push({ ...session, left: [...session.left, ...left] });
  }
  return { result: { ...result, sessions }, by: 'secretlint' };
}

async function tell(world: World, report: ScrubReport, flags: ScrubFlags): Promise<void> {
  const { report: place, json, out } = flags;
  if (typeof place === 'string' && place !== '-')
    await writeOutput(world, place, reportText(report), flags.force === true);
  if (json === true) world.out(`${JSON.stringify(report, null, 2)}\n`);
  else if (place === true || place === '-') world.out(reportText(report));
  else world.out(summaryOf(report));
  if (!report.ok) {
    if (json === true || !(place === true || place === '-')) world.err(leftText(report));
    world.err(
      'precis: the audit found something left, so nothing was written; add a rule (`--rules`) or a name (`--names`) for it\n',
    );
  } else if (json !== true)
    world.out(
      out === undefined ? 'Nothing was written; add `--out FOLDER` to keep the result.\n' : `Written to ${out}.\n`,
    );
}

function summaryOf({ sessions, replaced }: ScrubReport): string {
  const lines = sessions.map(({ name, messages, bytes, truncatedTo }) => {
    const cut = truncatedTo === null ? '' : `, cut behind message ${truncatedTo + 1}`;
    return `${name}: ${counted(messages, 'message')}, ${whole(bytes)} bytes${cut}`;
  });
  const sum = (group: ReportRow['group']): number =>
    replaced.filter((row) => row.group === group).reduce((total, row) => total + row.count, 0);
  return `${lines.join('\n')}\nReplaced: ${whole(sum('secret'))} secrets, ${whole(sum('personal'))} personal; ${counted(sum('structure'), 'change')} of structure.\n`;
}

function leftText({ sessions }: ScrubReport): string {
  return sessions
    .flatMap(({ name, left }) => left.map(({ rule, count }) => `${name}: ${rule}, ${count} left\n`))
    .join('');
}
