import { MISBEHAVIOURS, type MisbehaviourRow, type PeersResults, type Verdict } from '../../peers/results.ts';
import { listed, NONE, plural } from '../figures.ts';
import { blocks, inline, left, list, table } from '../markdown.ts';
import { inOrder, isOurs, titleOf } from '../rows.ts';

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
  'The summariser *throws* (an error of the provider), answers with *empty* text, *refuses*, is *cut-off* in the middle, *floods* with far more than was asked for, or says that the request is an *overflow* of its window.';

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
  return blocks(
    lost.length === 0
      ? ''
      : `What was lost:\n\n${list(lost.map(({ arm, misbehaviour: which, detail }) => `${titleOf(results, arm)}, ${which}: ${inline(detail)}`))}`,
    slow.length === 0
      ? ''
      : `Who waits: ${slow.map(({ arm, misbehaviour: which, calls, seconds }) => `${titleOf(results, arm)}, ${which}: ${plural(calls, 'call')} in ${seconds.toFixed(0)} s`).join('; ')}.`,
  );
}

export function misbehaviourSentence(results: PeersResults): string {
  const rows = inOrder(results, results.misbehaviours);
  if (rows.length === 0) return '';
  const lost = [...Map.groupBy(rows, ({ arm }) => arm)].map(([arm, of]) => ({
    arm,
    of: of.length,
    lost: of.filter(({ verdict }) => verdict === 'lost').length,
  }));
  const own = lost.find(({ arm }) => isOurs(arm));
  const others = lost.filter((row) => !isOurs(row.arm) && row.lost > 0).toSorted((one, other) => other.lost - one.lost);
  return [
    own === undefined
      ? ''
      : `When the summariser misbehaves, precis loses something that must not be lost in ${own.lost} of ${plural(own.of, 'way')}.`,
    others.length === 0
      ? 'None of the others does.'
      : `Of the others: ${listed(others.map((row) => `${titleOf(results, row.arm)} in ${row.lost} of ${row.of}`))}.`,
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}
