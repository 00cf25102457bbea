import { catalog } from '../../../models/catalog/catalog.ts';

const MOST_SUGGESTIONS = 3;
/** Most letters that may be wrong in a name. */
const MOST_SLIPS = 2;

/** Finds ids of known models that this name may have meant. */
export function nearestModels(name: string): readonly string[] {
  const wanted = name.toLowerCase();
  if (wanted === '') return [];
  const ids = [...new Set(catalog.map((model) => model.id))];
  const longer = ids.filter((id) => id.startsWith(wanted));
  const near = ids.filter((id) => slips(id.toLowerCase(), wanted) <= MOST_SLIPS);
  return (longer.length > 0 ? longer : near).slice(0, MOST_SUGGESTIONS);
}

/** Counts the letters to change, add or drop to turn one word into the other. */
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
