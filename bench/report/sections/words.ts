import { blocks, left, table } from '../markdown.ts';

/** The words that only this page uses. */
export const WORDS: string = blocks(
  '## Words',
  table(
    [left('word'), left('meaning')],
    [
      ['**arm**', 'A compactor under test: precis, a peer or a control.'],
      ['**peer**', 'Another project’s compactor, called unchanged.'],
      ['**control**', 'A simple method that we wrote ourselves. An _imitation_ follows the design of another project.'],
      ['**knob**', 'The setting of an arm that decides how much stays. The bench turns it to reach the compared size.'],
      [
        '**summariser**',
        'A scripted model. It is _silent_ (states no facts), _forgetful_ (leaves out a quarter each time), _rewording_ (uses its own words) or _perfect_ (quotes every fact it is shown).',
      ],
      ['**battery**', 'A made-up session whose constraints and final file states are all known.'],
      ['**yardstick**', 'A fixed piece of foreign work, timed together with ours so that machines can be compared.'],
      ['**baseline**', 'Saved figures that later runs of the speed suite are compared with.'],
      ['**noise**', 'How far two measurements of the same thing differ. Ignore smaller differences.'],
      [
        '**scrub**',
        'To prepare a session for sharing: the scrubber replaces secrets, names and addresses, and removes reasoning and prompts. To _redact_ is to replace secrets only.',
      ],
      [
        '**learn**',
        'To read all sessions for names and secrets first, so that the scrubber replaces each of them wherever it stands.',
      ],
      [
        '**handle**',
        'The name of an account or a person. A _distinctive_ handle can mean nothing else; only such a handle is replaced outside its own place.',
      ],
      ['**audit**', 'The second reading of a scrubbed session, before it is written.'],
      ['**planted**', 'Made up and inserted, so that a test can look for it afterwards.'],
    ],
  ),
);
