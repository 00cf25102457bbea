import { describe, expect, it } from 'vitest';
import { openaiChat } from '../../formats/openai-chat/index.ts';
import { build } from '../../testing/build/build.ts';
import { recordHistory } from '../facts/history-record.ts';
import { weigh } from '../worth/weigh.ts';
import { type ClaimInput, claimsOf } from './claims.ts';

type Session = ReturnType<typeof orchard>;

function orchard() {
  return build('openai-chat')
    .system('You keep an orchard.')
    .user('Prune the pear trees. Never cut a graft.')
    .call('Bash', { command: 'prune --row 1' })
    .result('row 1 pruned')
    .assistant('Row 1 is pruned.')
    .user('Now row 2.');
}

/** Everything is folded, unless the test says otherwise. */
function claimed(session: Session, { room = 1_000, isFolded = () => true }: Partial<ClaimInput> = {}) {
  const weighed = weigh(recordHistory(session.decode(openaiChat).messages).entries);
  return claimsOf({ weighed, room, isFolded }).map((at) => {
    const { entry = -1, index = -1 } = weighed.passages[at] ?? {};
    const { heading, passages } = weighed.entries[entry] ?? { heading: '', passages: [] };
    return index < 0 ? heading : `${heading}: ${passages[index]?.text}`;
  });
}

describe('claims', () => {
  it('are the newest request, the task, and how the turn since ended', () => {
    const session = orchard()
      .call('Bash', { command: 'prune --row 2' })
      .result('row 2 pruned')
      .call('Bash', { command: 'ls shed' })
      .result('ladder')
      .assistant('Done. Row 2 is pruned, and the ladder is back.');
    expect(claimed(session)).toEqual([
      'user: Now row 2.',
      'user: Prune the pear trees. Never cut a graft.',
      'assistant: Done. Row 2 is pruned, and the ladder is back.',
      'Bash prune --row 2',
    ]);
  });

  it('name the newest call, the line of the open failure and all other work while a turn goes on', () => {
    const session = orchard()
      .call('Write', { file_path: 'map/row-2.md', content: 'eight trees' })
      .result('ok')
      .call('Bash', { command: 'prune --row 2' })
      .result('Error: the saw is blunt')
      .call('Read', { file_path: 'shed/tools.md' })
      .result('saw, file, ladder');
    expect(claimed(session).slice(2)).toEqual([
      'Read shed/tools.md',
      'Bash prune --row 2: Error: the saw is blunt',
      'Write map/row-2.md',
    ]);
  });

  it('name all work of a turn that ended with a failure, so that none of it is done again', () => {
    const session = orchard()
      .call('Bash', { command: 'fell --tree 4' })
      .result('felled')
      .call('Bash', { command: 'sell --wood 4' })
      .result('Error: the market is shut')
      .assistant('The market is shut today, so the wood stays here.');
    expect(claimed(session).slice(2)).toEqual([
      'Bash sell --wood 4',
      'assistant: The market is shut today, so the wood stays here.',
      'Bash sell --wood 4: Error: the market is shut',
      'Bash fell --tree 4',
    ]);
  });

  it('are nothing for what the view holds anyway', () => {
    const session = orchard().call('Bash', { command: 'prune --row 2' }).result('row 2 pruned').assistant('Pruned.');
    expect(claimed(session, { isFolded: () => false })).toEqual([]);
  });

  it('take a bounded part of the room', () => {
    let session = orchard();
    for (let at = 0; at < 60; at++)
      session = session.call('Bash', { command: `prune --row 2 --tree ${at}` }).result('cut');
    expect(claimed(session).length).toBeLessThan(25);
    expect(claimed(session, { room: 60 }).length).toBeLessThan(9);
    expect(claimed(session, { room: 60 })).toContain('Bash prune --row 2 --tree 59');
  });
});
