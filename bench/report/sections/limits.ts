import type { PeersResults } from '../../peers/results.ts';
import { plural } from '../figures.ts';
import { blocks, list } from '../markdown.ts';

export function limits({ sessions, target, place, survival }: PeersResults): string {
  return blocks(
    '## Limits of this benchmark',
    list([
      place === null
        ? `The ${plural(sessions.length, 'session')} are ours, and some of them served to tune our weights. For precis they are a training set; for the others they are not.`
        : `The ${plural(sessions.length, 'session')} come from one folder; other sessions may give other figures.`,
      `Facts are matched literally, so a paraphrase counts as lost. The perfect summariser quotes, which suits precis: its weights count a line more if the source contains it word for word.${reworded(survival)}`,
      'The perfect summariser knows the questions. Real models lie somewhere between it and the silent one; this page does not measure where.',
      'A fact in the view is not an answer. The [evaluation](eval.md) measures whether a model finds and uses it.',
      `The other arms compacted to about ${target.percent} % of a session, at moments and sizes that are not their defaults. This page does not measure what they keep at their defaults.`,
      'Some arms are our own controls or imitations, as their descriptions say. They do not run other people’s code.',
      'The tests of files and of a misbehaving summariser use one session made for this purpose.',
      'The bench converts conversations to each arm’s format and back. If a format cannot hold something, the arm pays for it.',
      'The bench ran one version of each project on one day. They may have improved since.',
    ]),
  );
}

/** Results of an earlier run may lack the table. */
function reworded(survival: PeersResults['survival']): string {
  return survival.some(({ teller }) => teller === 'rewording')
    ? ' The table of the summariser that [rewords](#with-a-perfect-summariser-that-rewords) shows the same facts in other words.'
    : '';
}
