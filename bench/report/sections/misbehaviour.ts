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
  '**kept**: nothing changed, and nobody was told of an error.',
  '**threw**: nothing changed, and the caller gets the error.',
  '**fell back**: compacted without the bad answer; everything that must not be lost is there.',
  '**lost**: something that must not be lost is gone, or the bad answer is now the memory.',
];

const MEANINGS =
  'The summariser *throws* (an error of the provider), answers with *empty* text, *refuses*, is *cut-off* in the middle, *floods* with far more than was asked for, or refuses the request as an *overflow* of its window. One compaction each, of a session of about 90,000 tokens made for this, of which every constraint is known; the agent’s model takes 200,000 tokens, for *overflow* a session of 600,000 and 1,000,000. A provider cuts a flood at the length that a request allows; where a request says nothing it is 500,000 tokens.';

/** Retries that make somebody wait. */
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
    items.length === 0 ? '' : `What was lost:\n\n${list(items)}`,
    slow.length === 0
      ? ''
      : `Who waits: ${slow.map(({ arm, misbehaviour: which, calls, seconds }) => `${named(results, arm)}, ${which}: ${plural(calls, 'call')} in ${seconds.toFixed(0)} s`).join('; ')}.`,
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
  const besides =
    worst === undefined
      ? 'none does in any'
      : `${losing.length} in at least one; most, ${worst.lost} of ${worst.ways}, ${worstNames.length > 2 ? `${worstNames.length} of them` : listed(worstNames)}`;
  return [
    `When the summariser misbehaves, ${named(results, own.arm)} loses something that must not be lost in ${own.lost} of ${plural(own.ways, 'way')}.`,
    ...(others.length === 0 ? [] : [`Of ${plural(others.length, 'other')}, ${besides}.`]),
  ].join(' ');
}
