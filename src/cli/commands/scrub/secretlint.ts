import type { ScrubResult } from '../../../scrub/scrub.ts';

/** The ids of the secretlint rules that found something in a text. */
export type SecondOpinion = (name: string, text: string) => Promise<readonly string[]>;

interface Core {
  lintSource(request: unknown): Promise<{ readonly messages: readonly { readonly ruleId: string }[] }>;
}
interface Preset {
  readonly creator: unknown;
}

const CORE = '@secretlint/core';
const PRESET = '@secretlint/secretlint-rule-preset-recommend';

/** Loads a module by name. Tests pass their own. */
export type Load = (name: string) => Promise<unknown>;

/** Null when secretlint is not installed: it is optional, not a dependency. */
export async function secretlint(load: Load = (name) => import(name)): Promise<SecondOpinion | null> {
  const [core, preset] = await Promise.all([load(CORE), load(PRESET)]).catch(() => []);
  if (!isCore(core) || !isPreset(preset)) return null;
  const rules = [{ id: PRESET, rule: preset.creator }];
  return async (name, text) => {
    const source = { filePath: name, content: text, contentType: 'text', ext: '.json' };
    const { messages } = await core.lintSource({ source, options: { config: { rules }, noPhysicFilePath: true } });
    return messages.map(({ ruleId }) => ruleId);
  };
}

/** A find of secretlint counts like one of our own. */
export async function withSecondOpinion(result: ScrubResult, opinion: SecondOpinion): Promise<ScrubResult> {
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
  return { ...result, sessions };
}

function isCore(value: unknown): value is Core {
  return typeof value === 'object' && value !== null && 'lintSource' in value && typeof value.lintSource === 'function';
}

function isPreset(value: unknown): value is Preset {
  return typeof value === 'object' && value !== null && 'creator' in value;
}
