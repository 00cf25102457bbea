import { PrecisError } from '../../core/errors.ts';
import type { ModelWindow } from '../../core/tokens/window.ts';
import { catalog, findModel } from '../../models/catalog/catalog.ts';

/**
 * The chain of models that `--for` names. An unknown one is an error, as its window would be a guess; with a window given
 * it does not matter.
 */
export function chainOf(names: string, windowKnown: boolean): readonly ModelWindow[] {
  return names.split(',').flatMap((text) => {
    const name = text.trim();
    const model = findModel(name);
    if (model !== null) return [{ id: model.id, contextWindow: model.contextWindow, maxOutput: model.maxOutput }];
    if (windowKnown) return [];
    const near = nearestModels(name);
    const meant = near.length === 0 ? '' : ` (did you mean ${near.map((id) => `\`${id}\``).join(' or ')}?)`;
    throw new PrecisError(
      'bad-option',
      `expected \`--for\` to name known models, got \`${name}\`${meant}; for any other say how large its window is with \`--window <tokens>\``,
    );
  });
}

const MOST_SUGGESTIONS = 3;
/** Letters that may be wrong in a name. */
const MOST_SLIPS = 2;

function nearestModels(name: string): readonly string[] {
  const wanted = name.toLowerCase();
  if (wanted === '') return [];
  const ids = [...new Set(catalog.map((model) => model.id))];
  const longer = ids.filter((id) => id.startsWith(wanted));
  const near = ids.filter((id) => slips(id.toLowerCase(), wanted) <= MOST_SLIPS);
  return (longer.length > 0 ? longer : near).slice(0, MOST_SUGGESTIONS);
}

/** Letters to change, add or leave out to get from one word to the other. */
function slips(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > MOST_SLIPS) return MOST_SLIPS + 1;
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    for (let j = 1; j <= other.length; j++) {
      const changed = (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1);
      next.push(Math.min(changed, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}
