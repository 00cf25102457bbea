import type { PeersResults } from '../../peers/results.ts';
import { plural } from '../figures.ts';
import { blocks, list } from '../markdown.ts';

export function limits({ sessions, target, place, survival }: PeersResults): string {
  return blocks(
    '## What this does not say',
    list([
      place === null
        ? `The ${plural(sessions.length, 'session')} are ours, and partly the ones that our weights were tuned on: for precis they are a training set, for the others they are not.`
        : `The ${plural(sessions.length, 'session')} are those of one folder; others may give other figures.`,
      `Facts are looked for literally, and a paraphrase counts as lost. The perfect summariser quotes, which suits precis, whose weights count a line more when it stands word for word in the source${reworded(survival)}.`,
      'The perfect summariser knows the questions. Real models are somewhere between it and the silent one, and where is not measured here.',
      'A fact in the view is not yet an answer. Whether a model finds and uses it is for [the evaluation](eval.md).',
      `The others were made to compact to about ${target.percent} % of a session, at moments and to sizes that are not their defaults. What they keep at their defaults was not measured.`,
      'Some arms are our own imitations or controls; each says so above. They are not other people’s code.',
      'What became of files, and what happens when the summariser misbehaves, was looked at in one session that was made for this.',
      'Conversations were converted to the forms of the others and back. Where a form cannot hold something, the arm pays for it.',
      'One version of each, on one day. Others will have improved by the time this is read.',
    ]),
  );
}

/** Results of an earlier run may lack the table. */
function reworded(survival: PeersResults['survival']): string {
  return survival.some(({ teller }) => teller === 'rewording')
    ? '; the table of a summariser that writes [in its own words](#with-a-perfect-summariser-that-rewords) shows the same facts reworded'
    : '';
}
