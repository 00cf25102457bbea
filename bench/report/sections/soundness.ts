import type { PeersResults } from '../../peers/results.ts';
import { listed, plural, whole } from '../figures.ts';
import { blocks, inline, list } from '../markdown.ts';
import { isOurs, named } from '../rows.ts';
import { nameOfRow } from '../sentences.ts';

const MOST_EXAMPLES = 3;

export function soundness(results: PeersResults): string {
  const broken = results.survival.filter(({ unsound }) => unsound.length > 0);
  const items = [...Map.groupBy(broken, (row) => nameOfRow(results, row))].map(([name, rows]) => {
    const all = rows.flatMap(({ unsound }) => unsound);
    const shown = [...new Set(all)].slice(0, MOST_EXAMPLES).map(inline).join('; ');
    return `${name}: ${plural(all.length, 'view')}, such as ${shown}.`;
  });
  return blocks(
    '## Soundness',
    'A view is sound if a provider would accept it: every call has its result, every result has its call, and there is something to answer.',
    soundnessSentence(results),
    list(items),
  );
}

export function soundnessSentence({ survival, sessions, arms }: PeersResults): string {
  const views = survival.length * sessions.length;
  if (views === 0) return '';
  const broken = survival.filter(({ unsound }) => unsound.length > 0);
  if (broken.length === 0) return `All ${whole(views)} views, from every compactor, are sound.`;
  const count = broken.reduce((sum, { unsound }) => sum + unsound.length, 0);
  const names = [...new Set(broken.map(({ arm }) => arm))];
  const own = names.some(isOurs) ? '' : ' None is from precis.';
  return `A provider would reject ${whole(count)} of ${whole(views)} views, from ${listed(names.map((arm) => named({ arms }, arm)))}.${own}`;
}
