import { fileURLToPath } from 'node:url';
import { PrecisError } from '../../../core/errors.ts';
import type { Model } from '../../../core/model.ts';
import { sameFamilyWarnings } from '../../../eval/exam/model-family.ts';
import { rubricDigest } from '../../../eval/exam/rubric.ts';
import { checkBank } from '../../../eval/probes/check/check.ts';
import type { DecodedFixture } from '../../../eval/probes/decode.ts';
import type { ArmName } from '../../../eval/run/arms/arms.ts';
import type { UserArm } from '../../../eval/run/arms/user-arm.ts';
import type { Missing } from '../../../eval/run/calls/asker.ts';
import { type PlannedFixture, planFixture } from '../../../eval/run/plan.ts';
import type { ExamModels } from '../../../eval/run/run-input.ts';
import type { Environment } from '../../../models/providers.ts';
import { openFixtures } from '../../fixtures/fixtures.ts';
import { counted } from '../../screen/paint.ts';
import { version } from '../../version.ts';
import type { World } from '../../world.ts';
import { userArmFrom } from './arm.ts';
import { newestLabel, type ResultsFolder, resultsFolder, sha256 } from './disk.ts';
import type { EvalFlags } from './flags.ts';

export interface EvalJob {
  readonly world: World;
  readonly flags: EvalFlags;
  readonly env: Environment;
  readonly defaultRuns: number;
  readonly arms: readonly ArmName[];
  /** Takes the requests of an export. When it is given, no model is asked and nothing is written. */
  readonly defer?: (missing: Missing) => void;
}

export const RESULTS = 'results';

/** Everything an evaluation needs, read and checked before the first call. */
export interface Prepared {
  readonly label: string;
  readonly folder: ResultsFolder;
  readonly fixtures: readonly PlannedFixture[];
  readonly userArms: readonly UserArm[];
  readonly models: Models;
  readonly runs: number;
  readonly rubric: string;
  readonly precis: string;
}

export interface Models {
  readonly compressor: Model | null;
  readonly exam: ExamModels | null;
  readonly warnings: readonly string[];
}

/** Reads and checks everything before the first call. */
export async function prepare(job: EvalJob): Promise<Prepared> {
  const { world, flags, env } = job;
  const results = flags.results ?? RESULTS;
  const label = flags.label ?? (flags.resume === true ? await newestLabel(results) : null) ?? timeLabel();
  if (!/^[\w][\w.@+-]{0,79}$/.test(label))
    throw new PrecisError('bad-option', `expected \`--label\` to be a name for a folder, got \`${label}\``);
  const folder = resultsFolder(results, label);
  const known = await folder.settings();
  if (known !== null && flags.resume !== true && job.defer === undefined)
    throw new PrecisError(
      'bad-option',
      `${folder.path} already exists; continue it with \`--resume\`, or choose another \`--label\``,
    );
  if (known === null && flags.resume === true && flags.label !== undefined)
    throw new PrecisError('bad-option', `${folder.path} does not exist, so there is nothing to resume`);
  const userArms = await userArmsFrom(flags, folder);
  const models = await modelsFrom(flags, env);
  const { o200k } = await import('../../../models/o200k.ts');
  const loaded = await fixturesFrom(world, flags);
  if (loaded.length === 0)
    throw new PrecisError('bad-option', 'expected at least one fixture, found none; name them with `--fixtures`');
  const fixtures = loaded.map((each) =>
    planFixture(each, {
      counter: o200k,
      ...(flags.target === undefined ? {} : { target: flags.target }),
      ...(flags.passes === undefined ? {} : { passes: flags.passes }),
    }),
  );
  for (const { fixture, bank, conversation } of fixtures) {
    const { rejected } = checkBank(fixture, bank, { conversation, counter: o200k });
    if (rejected.length > 0)
      world.err(
        `note: ${fixture.name}: ${rejected.length} of ${counted(bank.probes.length, 'probe')} cannot tell compaction from chance (${rejected.map(({ probe }) => probe).join(', ')}); \`precis probes --check\` says why\n`,
      );
  }
  const isAsking = models.exam !== null || models.compressor !== null;
  const prepared: Prepared = {
    label,
    folder,
    fixtures,
    userArms,
    models,
    // Code alone gives the same result every time.
    runs: flags.runs ?? (isAsking || userArms.length > 0 ? job.defaultRuns : 1),
    rubric: rubricDigest(sha256),
    precis: version(),
  };
  if (known !== null && flags.resume === true) checkSame(known, settingsOf(prepared, job), folder.path);
  for (const model of [models.compressor, models.exam?.answerer, models.exam?.judge])
    if (flags.maxCost !== undefined && model != null && model.prices === null)
      throw new PrecisError('bad-option', `\`--max-cost\` cannot be enforced: the price of ${model.id} is not known`);
  return prepared;
}

async function userArmsFrom(flags: EvalFlags, folder: ResultsFolder): Promise<readonly UserArm[]> {
  const userArms: UserArm[] = [];
  for (const spec of flags.arm ?? []) userArms.push(keptArm(await userArmFrom(spec), spec, folder));
  const twice = userArms.find(({ name }, at) => userArms.findIndex((arm) => arm.name === name) !== at);
  if (twice === undefined) return userArms;
  throw new PrecisError('bad-option', `expected every \`--arm\` to have its own name, got \`${twice.name}\` twice`);
}

/** Keeps the results of a user's compactor under the label, so that it is not asked twice; it may use paid models. */
function keptArm(arm: UserArm, spec: string, folder: ResultsFolder): UserArm {
  return {
    name: arm.name,
    async compact(messages, info) {
      const key = sha256(JSON.stringify([spec, info, messages])).slice(0, 40);
      const known = await folder.kept(key);
      if (known !== undefined) return known;
      const made = await arm.compact(messages, info);
      // A result that is not JSON is no list of messages either; reading it reports the problem.
      if (made !== undefined) await folder.keep(key, made);
      return made;
    },
  };
}

/** Lists the settings that must be the same when an evaluation is resumed. */
export function settingsOf(
  { label, fixtures, models, rubric, precis, runs }: Prepared,
  { flags, arms }: EvalJob,
): Readonly<Record<string, unknown>> {
  return {
    version: 1,
    label,
    precis,
    arms,
    userArms: flags.arm ?? [],
    runs,
    fixtures: fixtures.map(({ fixture, bank, target, passes }) => ({
      name: fixture.name,
      digest: fixture.digest,
      bank: bank.digest,
      target,
      passes,
    })),
    compressorModel: models.compressor?.id ?? null,
    answerModel: models.exam?.answerer.id ?? null,
    judgeModel: models.exam?.judge.id ?? null,
    focusTopic: flags.focusTopic ?? null,
    template: flags.template ?? null,
    fresh: flags.fresh === true,
    rubricDigest: rubric,
  };
}

function checkSame(
  before: Readonly<Record<string, unknown>>,
  now: Readonly<Record<string, unknown>>,
  path: string,
): void {
  const different = Object.keys(now).filter(
    (key) => key !== 'runs' && JSON.stringify(before[key]) !== JSON.stringify(now[key]),
  );
  if (different.length === 0) return;
  throw new PrecisError(
    'bad-option',
    `${path} was made with other settings (${different.join(', ')}): resume it with the same settings, or choose another \`--label\``,
  );
}

/** Loads the fixtures of the project, else those that come with precis. A folder of this name may hold something else. */
async function fixturesFrom(world: World, { fixtures }: EvalFlags): Promise<readonly DecodedFixture[]> {
  const names = (fixtures ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  if (fixtures !== undefined && names.length === 0)
    throw new PrecisError('bad-option', 'expected `--fixtures` to name fixtures, separated by commas, got none');
  const isThere = (await world.kindOf('fixtures')) === 'directory';
  const shipped = fileURLToPath(new URL('../../../../fixtures', import.meta.url));
  const root = isThere ? 'fixtures' : shipped;
  const opened = await openFixtures(world, names.length > 0 ? names : root, root);
  const own = probed(opened);
  const bare = opened.find(({ bank }) => bank === null);
  if (names.length > 0 && bare !== undefined)
    throw new PrecisError(
      'bad-input',
      `${bare.fixture.file}: expected probes next to it, in probes.json, but there are none; \`precis probes\` drafts some`,
    );
  return own.length > 0 || root === shipped ? own : probed(await openFixtures(world, shipped, shipped));
}

function probed(fixtures: readonly DecodedFixture[]): readonly DecodedFixture[] {
  return fixtures.filter(({ bank }) => bank !== null);
}

async function modelsFrom(flags: EvalFlags, env: Environment): Promise<Models> {
  const warnings: string[] = [];
  const { namedModel } = await import('../../../models/named.ts');
  const find = (name: string): Model => {
    const found = namedModel(name, { env, ...(flags.timeout === undefined ? {} : { idleMs: flags.timeout * 1000 }) });
    if (found.type === 'unavailable') throw new PrecisError('bad-option', `${name}: ${found.message}`);
    if (found.warning !== null && !warnings.includes(found.warning)) warnings.push(found.warning);
    return found.model;
  };
  const answerName = flags.answerModel ?? flags.judgeModel;
  const judgeName = flags.judgeModel ?? flags.answerModel;
  const compressor = flags.compressorModel === undefined ? null : find(flags.compressorModel);
  const exam =
    answerName === undefined || judgeName === undefined ? null : { answerer: find(answerName), judge: find(judgeName) };
  if (exam !== null)
    warnings.push(
      ...sameFamilyWarnings(exam.judge.id, { compressor: compressor?.id ?? null, answerer: exam.answerer.id }),
    );
  return { compressor, exam, warnings };
}

function timeLabel(): string {
  return new Date().toISOString().slice(0, 19).replaceAll(':', '-');
}
