import { MISBEHAVIOURS, type MisbehaviourRow, type PeersResults, type Verdict } from '../../peers/results.ts';
import { listed, NONE, plural } from '../figures.ts';
import { blocks, inline, left, list, table } from '../markdown.ts';
import { inOrder, isOurs, named, titleOf } from '../rows.ts';

const WORDS: Readonly<Record<Verdict, string>> = {
  kept: 'kept',
  threw: 'threw',
  'fell-back': 'fell back',
  lost: '**lost**',
};

const LEGEND = [
  '**kept**: nothing changed, and the arm reported no error.',
  '**threw**: nothing changed, and the caller got the error.',
  '**fell back**: the arm compacted without the bad answer and kept all critical content.',
  '**lost**: critical content is gone, or the bad answer replaced the history.',
];

const WAYS = [
  '*throws*: the provider returns an error.',
  '*empty*: the answer has no text.',
  '*refuses*: the answer is a refusal.',
  '*cut-off*: the answer stops in the middle.',
  '*floods*: the answer is far too long. The provider cuts it at the length that the request allows, or at 500,000 tokens if the request sets no limit.',
  '*overflow*: the provider rejects the request, because it is larger than the summariser’s window.',
];

const MEANINGS =
  'Each arm compacts a session once for each of six faults of the summariser. The session was made for this test, so every constraint is known. It has about 90,000 tokens, and the agent’s model has a window of 200,000; for *overflow*, they are 600,000 and 1,000,000.';

/** Retries that take longer make somebody wait. */
const SLOW_SECONDS = 5;

export function misbehaviour(results: PeersResults): string {
  const { misbehaviours } = results;
  if (misbehaviours.length === 0) return '';
  const arms = [...new Set(inOrder(results, misbehaviours).map(({ arm }) => arm))];
  const of = (arm: string, which: string): MisbehaviourRow | undefined =>
    misbehaviours.find((row) => row.arm === arm && row.misbehaviour === which);
  return blocks(
    '## When the summariser misbehaves',
    MEANINGS,
    list(WAYS),
    table(
      [left('arm'), ...MISBEHAVIOURS.map((which) => left(which))],
      arms.map((arm) => [
        isOurs(arm) ? `**${titleOf(results, arm)}**` : titleOf(results, arm),
        ...MISBEHAVIOURS.map((which) => {
          const row = of(arm, which);
          return row === undefined ? NONE : WORDS[row.verdict];
        }),
      ]),
    ),
    list(LEGEND),
    details(results),
  );
}

function details(results: PeersResults): string {
  const lost = inOrder(results, results.misbehaviours).filter(({ verdict }) => verdict === 'lost');
  const slow = inOrder(results, results.misbehaviours).filter(({ seconds }) => seconds >= SLOW_SECONDS);
  const items = [...Map.groupBy(lost, ({ arm }) => arm)].map(
    ([arm, rows]) =>
      `${named(results, arm)}: ${rows.map(({ misbehaviour: which, detail }) => `${which} (${inline(detail)})`).join('; ')}`,
  );
  return blocks(
    items.length === 0 ? '' : `What each arm lost:\n\n${list(items)}`,
    slow.length === 0
      ? ''
      : `Slow retries: ${slow.map(({ arm, misbehaviour: which, calls, seconds }) => `${named(results, arm)}, ${which}: ${plural(calls, 'call')} in ${seconds.toFixed(0)} s`).join('; ')}.`,
  );
}

export function misbehaviourSentence(results: PeersResults): string {
  const lost = [...Map.groupBy(inOrder(results, results.misbehaviours), ({ arm }) => arm)].map(([arm, of]) => ({
    arm,
    ways: of.length,
    lost: of.filter(({ verdict }) => verdict === 'lost').length,
  }));
  const own = lost.find(({ arm }) => isOurs(arm));
  if (own === undefined) return '';
  const others = lost.filter(({ arm }) => !isOurs(arm));
  const losing = others.filter((row) => row.lost > 0).toSorted((one, other) => other.lost - one.lost);
  const [worst] = losing;
  const worstNames = losing.filter((row) => row.lost === worst?.lost).map(({ arm }) => named(results, arm));
  const who = worstNames.length > 2 ? `${worstNames.length} of them` : listed(worstNames);
  return [
    `When the summariser misbehaves, ${named(results, own.arm)} loses ${own.lost === 0 ? `no critical content in any of ${plural(own.ways, 'case')}` : `critical content in ${inCases(own)}`}.`,
    ...(others.length === 0
      ? []
      : worst === undefined
        ? [`None of ${plural(others.length, 'other')} loses anything.`]
        : [
            `${losers(losing.length, others.length)} something in at least one case; ${who} ${worstNames.length === 1 ? 'loses' : 'lose'} something in ${inCases(worst)}.`,
          ]),
  ].join(' ');
}

/** `2 of 6 cases`, `all 6 cases`. */
function inCases({ lost, ways }: { readonly lost: number; readonly ways: number }): string {
  return `${lost === ways ? 'all' : `${lost} of`} ${plural(ways, 'case')}`;
}

function losers(losing: number, all: number): string {
  const who = losing < all || all === 1 ? `${losing} of ${plural(all, 'other')}` : `All ${all} others`;
  return `${who} ${losing === 1 ? 'loses' : 'lose'}`;
}
