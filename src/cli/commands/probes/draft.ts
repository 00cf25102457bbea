import { PrecisError } from '../../../core/errors.ts';
import type { Model } from '../../../core/model.ts';
import type { Draft } from '../../../eval/probes/draft/draft.ts';
import type { Environment } from '../../../models/providers.ts';
import { environmentWith } from '../../config/config.ts';
import { loadConfig } from '../../config/load-config.ts';
import { checkOutput, writeOutput } from '../../disk/output-file.ts';
import { fixtureName } from '../../fixtures/fixture-name.ts';
import { openOptions } from '../../flags/session-flags.ts';
import { jsonText } from '../../screen/json-text.ts';
import { counted } from '../../screen/paint.ts';
import type { World } from '../../world.ts';
import type { ProbesFlags } from './flags.ts';
import { secretFinder } from './secret-finder.ts';

/** Most probes per session: more than a person reads with care. */
const MOST_PROBES = 200;

interface DraftInput {
  readonly world: World;
  readonly places: readonly string[];
  readonly flags: ProbesFlags;
  readonly env: Environment;
}

export async function runDraft({ world, places, flags, env }: DraftInput): Promise<void> {
  const [path, ...others] = places;
  if (path === undefined || others.length > 0)
    throw new PrecisError('bad-option', `expected one session to draft from, got ${places.length}`);
  if (flags.count > MOST_PROBES)
    throw new PrecisError('bad-option', `expected \`--count\` to be at most ${MOST_PROBES}, got ${flags.count}`);
  if (flags.out !== undefined) await checkOutput(world, flags.out, flags);
  const { conversation } = await world.open(path, openOptions(flags));
  const model = await modelFrom(world, flags, env);
  const [{ draftBank }, { bankText }] = await Promise.all([
    import('../../../eval/probes/draft/draft.ts'),
    import('../../../eval/probes/bank.ts'),
  ]);
  const draft = await draftBank(conversation, {
    fixture: fixtureName(path),
    count: flags.count,
    secretsIn: await secretFinder(),
    ...(model === null ? {} : { model }),
  });
  const text = bankText(draft.bank);
  if (flags.out !== undefined) await writeOutput(world, { path: flags.out, text }, flags);
  if (flags.json === true) world.out(jsonText(draftData(draft, text)));
  else if (flags.out === undefined) world.out(text);
  if (flags.json !== true) for (const line of draftLines(draft, flags)) world.err(`${line}\n`);
}

/** The draft as it would be written, with the candidates it rejected or dropped. */
function draftData({ rejected, dropped, candidates }: Draft, text: string): object {
  return { bank: JSON.parse(text) as unknown, candidates, rejected, dropped };
}

function draftLines({ bank, rejected, dropped, candidates }: Draft, { count, out }: ProbesFlags): readonly string[] {
  const { probes } = bank;
  return [
    `${counted(probes.length, 'probe')} from ${counted(candidates, 'candidate')}; ${rejected.length} failed a gate.`,
    ...dropped,
    ...(probes.length < count ? [`Fewer than ${count}: the session holds no more facts for sound questions.`] : []),
    ...(out === undefined ? [] : [`Written to ${out}. This is a draft: read every question before you use it.`]),
  ];
}

async function modelFrom(world: World, flags: ProbesFlags, env: Environment): Promise<Model | null> {
  if (flags.model === undefined) return null;
  const { namedModel } = await import('../../../models/named.ts');
  const named = namedModel(flags.model, { env: environmentWith(await loadConfig(world), env) });
  if (named.type === 'unavailable') throw new PrecisError('bad-option', `${flags.model}: ${named.message}`);
  if (named.warning !== null) world.err(`${named.warning}\n`);
  world.err(`${named.model.id} will read the session once.\n`);
  return named.model;
}
