import {
  type CostResults,
  type FilesRow,
  MISBEHAVIOURS,
  type PeersResults,
  type Share,
  type SurvivalRow,
} from './results.ts';

/** The results as plain text for a terminal. */
export function tablesOf(results: PeersResults): string {
  const { survival, misbehaviours, files, cost } = results;
  const failed = results.arms.filter(({ failed }) => failed !== null);
  return [
    ...(survival.length === 0 ? [] : [survivalTable(results)]),
    ...(misbehaviours.length === 0 ? [] : [misbehaviourTables(results)]),
    ...(files.length === 0 ? [] : [filesTable(files)]),
    ...(cost.passes.length === 0 ? [] : [costTable(cost)]),
    ...(failed.length === 0
      ? []
      : [['Not run, or stopped early', ...failed.map(({ id, failed }) => `  ${id}: ${failed}`)].join('\n')]),
  ].join('\n\n');
}

function survivalTable({ survival, target, sessions }: PeersResults): string {
  const facts = sessions.reduce((sum, session) => sum + session.facts, 0);
  return titled(
    `Facts literally in the view: ${counted(sessions.length, 'session')}, ${counted(facts, 'fact')}, views of ${target.percent} % (at least ${target.leastTokens} tokens)`,
    [
      'arm',
      'summariser',
      'passes',
      'kept',
      'constraints',
      'retained',
      'precis, same size',
      'retained',
      'shown',
      'calls',
      'notes',
    ],
    survival.map((row) => [
      row.arm,
      row.teller,
      String(row.passes),
      shareText(row),
      row.byKind['constraint'] === undefined ? '–' : shareText(row.byKind['constraint']),
      percent(row.retained),
      row.ours === null ? '–' : shareText(row.ours),
      row.ours === null ? '–' : percent(row.ours.retained),
      percent(row.shown),
      String(row.calls),
      notesOf(row),
    ]),
  );
}

function notesOf({ unsound, threw, skipped, tooLarge }: SurvivalRow): string {
  const notes = [
    ...(threw > 0 ? [`threw ${threw}×`] : []),
    ...(skipped > 0 ? [`skipped ${skipped}×`] : []),
    ...(tooLarge > 0 ? [`too large ${tooLarge}×`] : []),
    ...(unsound.length > 0 ? [`unsound ${unsound.length}×`] : []),
  ];
  return notes.join(', ');
}

function misbehaviourTables({ misbehaviours }: PeersResults): string {
  const arms = [...new Set(misbehaviours.map(({ arm }) => arm))];
  const found = (arm: string, name: string): PeersResults['misbehaviours'][number] | undefined =>
    misbehaviours.find((row) => row.arm === arm && row.misbehaviour === name);
  const verdicts = titled(
    'What remains when the summariser misbehaves',
    ['arm', ...MISBEHAVIOURS],
    arms.map((arm) => [arm, ...MISBEHAVIOURS.map((name) => found(arm, name)?.verdict ?? '–')]),
  );
  const details = titled(
    'Details',
    ['arm', 'summariser', 'verdict', 'calls', 'seconds', 'detail'],
    misbehaviours.map((row) => [
      row.arm,
      row.misbehaviour,
      row.verdict,
      String(row.calls),
      row.seconds.toFixed(1),
      row.detail,
    ]),
  );
  return `${verdicts}\n\n${details}`;
}

function filesTable(files: readonly FilesRow[]): string {
  return titled(
    'Files of the battery session after one compaction to a tenth',
    ['arm', 'summariser', 'named', 'state told', 'by shell: named', 'state told', 'retained'],
    files.map((row) => [
      row.arm,
      row.teller,
      `${row.named}/${row.files}`,
      `${row.told}/${row.files}`,
      `${row.shellNamed}/${row.shellFiles}`,
      `${row.shellTold}/${row.shellFiles}`,
      percent(row.retained),
    ]),
  );
}

function costTable({ session, passes, turns, noise }: CostResults): string {
  const sizes = [...new Set(turns.map(({ tokens }) => tokens))];
  return titled(
    `Cost of a pass over ${whole(session.tokens)} tokens and of a turn without a cut (noise: ×${noise.pass.toFixed(2)} and ×${noise.turn.toFixed(2)})`,
    ['arm', 'pass ms', 'peak MB', 'loaded MB', ...sizes.map((size) => `turn at ${whole(size)}, ms`)],
    passes.map(({ arm, ms, peakMb, loadedMb }) => [
      arm,
      ms.toFixed(0),
      peakMb.toFixed(0),
      loadedMb.toFixed(0),
      ...sizes.map((size) => turns.find((row) => row.arm === arm && row.tokens === size)?.ms.toFixed(2) ?? '–'),
    ]),
  );
}

function titled(title: string, head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((name, column) => Math.max(name.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    `  ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd();
  return [title, line(head), ...rows.map(line)].join('\n');
}

function shareText({ kept, facts }: Share): string {
  return facts === 0 ? '–' : `${kept}/${facts} ${percent(kept / facts)}`;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

function counted(count: number, name: string): string {
  return `${count} ${name}${count === 1 ? '' : 's'}`;
}

function whole(value: number): string {
  return value.toLocaleString('en-US');
}
