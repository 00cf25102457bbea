import type { PeersResults, SurvivalRow } from '../../peers/results.ts';
import { causeOf, largestBehind } from '../causes.ts';
import { listed, milliseconds, percent, plural, points, shareText } from '../figures.ts';
import { blocks, left, list, right, table } from '../markdown.ts';
import { aheadOfOurs, isOurs, leadOf, named, TELLER_NAMES, TELLERS, titleOf } from '../rows.ts';
import { nameOfRow } from '../sentences.ts';
import { compared, type Timed, turnSizes, turnsAt } from '../timed.ts';

export function ahead(results: PeersResults): string {
  return blocks('## Where others are ahead', inFacts(results), otherwise(results));
}

function inFacts(results: PeersResults): string {
  const rows = aheadOfOurs(results);
  if (rows.length === 0) return 'At equal size, no other arm keeps more facts in this run.';
  return blocks(
    table(
      [
        left('arm'),
        left('summariser'),
        right('compactions'),
        right('it keeps'),
        right('precis keeps'),
        right('gap'),
        right('size'),
        right('precis size'),
        right('largest such view'),
      ],
      rows.map((row) => [
        titleOf(results, row.arm),
        TELLER_NAMES[row.teller],
        String(row.passes),
        shareText(row),
        row.ours === null ? '' : shareText(row.ours),
        points(leadOf(row) ?? 0),
        percent(row.retained),
        row.ours === null ? '' : percent(row.ours.retained),
        row.behind.length === 0 ? '' : plural(largestBehind(row.behind), 'token'),
      ]),
    ),
    '*largest such view*: the largest view in which the arm keeps more facts than precis.',
    'Known causes:',
    list(causes(results, rows)),
  );
}

function causes(results: PeersResults, rows: readonly SurvivalRow[]): readonly string[] {
  return [...Map.groupBy(rows, causeOf)].map(([words, of]) => {
    const names = [...Map.groupBy(of, (row) => nameOfRow(results, row))].map(
      ([name, same]) =>
        `${name} after ${listed(
          same
            .map(({ passes }) => passes)
            .toSorted((one, other) => one - other)
            .map(String),
        )}`,
    );
    const all = of.length === rows.length && rows.length > 1;
    return `${words} Applies to ${all ? 'every row above' : names.join('; ')}.`;
  });
}

/** Other figures in which precis is not the best, each in a sentence. */
function otherwise(results: PeersResults): string {
  const { passes, noise } = results.cost;
  const found = [
    faster(results, passes, { words: 'Arms that compact faster than precis', noise: noise.pass }),
    ...turnSizes(results).map((size) =>
      faster(results, turnsAt(results, size), {
        words: `Arms that handle a turn in a session of ${plural(size, 'token')} faster than precis`,
        noise: noise.turn,
      }),
    ),
    lighter(results),
    ...toldMore(results),
  ].filter((sentence) => sentence !== '');
  return found.length === 0 ? '' : blocks('In other respects:', list(found));
}

/** A difference within the noise does not count. */
function faster(
  results: PeersResults,
  timed: readonly Timed[],
  { words, noise }: { readonly words: string; readonly noise: number },
): string {
  const found = compared(timed, noise);
  if (found === null || found.faster.length === 0) return '';
  const names = found.faster.map(({ arm, ms }) => `${named(results, arm)} (${milliseconds(ms)})`);
  return `${words} (${milliseconds(found.own.ms)}): ${listed(names)}.`;
}

/** Arms whose views report more file outcomes than ours with the same summariser. */
function toldMore(results: PeersResults): readonly string[] {
  return TELLERS.flatMap((teller) => {
    const rows = results.files.filter((row) => row.teller === teller);
    const own = rows.find(({ arm }) => isOurs(arm));
    const others = rows.filter(({ arm, told }) => !isOurs(arm) && own !== undefined && told > own.told);
    if (own === undefined || others.length === 0) return [];
    const names = others.map(({ arm, told, retained }) => `${named(results, arm)} (${told}, at ${percent(retained)})`);
    return [
      `Arms that report more file outcomes (${TELLER_NAMES[teller]}) than ${named(results, own.arm)} (${own.told} of ${own.files}, at ${percent(own.retained)}): ${listed(names)}.`,
    ];
  });
}

function lighter(results: PeersResults): string {
  const own = results.cost.passes.find(({ arm }) => arm === 'precis');
  const others = results.cost.passes.filter(
    ({ arm, peakMb }) => !isOurs(arm) && own !== undefined && peakMb < own.peakMb,
  );
  if (own === undefined || others.length === 0) return '';
  const names = others.map(({ arm, peakMb }) => `${named(results, arm)} (${peakMb.toFixed(0)} MB)`);
  return `Arms that compact with less memory than precis (${own.peakMb.toFixed(0)} MB): ${listed(names)}.`;
}
