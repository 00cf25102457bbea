import { PrecisError } from '../../../core/errors.ts';
import type { CompactOptions } from '../../../core/options.ts';
import type { ModelWindow } from '../../../core/tokens/window.ts';
import { findModel } from '../../../models/catalog/catalog.ts';
import type { CompactFlags } from './flags.ts';
import { nearestModels } from './nearest-models.ts';

/** The window and the target. A target needs no window: one is assumed that is large enough not to interfere. */
export function limitsFrom({ for: names, window, target, tail }: CompactFlags): CompactOptions {
  const models = names === undefined ? null : modelWindows(names, window);
  const assumed =
    target !== undefined && window === undefined && models === null ? Math.max(128_000, target * 2) : window;
  return {
    ...(models === null || models.length === 0 ? {} : { models }),
    ...(assumed === undefined ? {} : { window: assumed }),
    ...(target === undefined ? {} : { target }),
    ...(tail === undefined ? {} : { tailTokens: tail }),
  };
}

/** The models that `--for` names. An unknown model is an error, because its window would be a guess, unless `--window` gives it. */
function modelWindows(names: string, window: number | undefined): readonly ModelWindow[] {
  return names.split(',').flatMap((text) => {
    const name = text.trim();
    const model = findModel(name);
    if (model !== null) return [{ id: model.id, contextWindow: model.contextWindow, maxOutput: model.maxOutput }];
    if (window !== undefined) return [];
    const near = nearestModels(name);
    const meant = near.length === 0 ? '' : ` (did you mean ${near.map((id) => `\`${id}\``).join(' or ')}?)`;
    throw new PrecisError(
      'bad-option',
      `expected \`--for\` to name known models, got \`${name}\`${meant}; for any other model, give its window with \`--window <tokens>\``,
    );
  });
}
