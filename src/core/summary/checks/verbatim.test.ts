import { describe, expect, test } from 'vitest';
import { openaiChat } from '../../../formats/index.ts';
import { recordHistory } from '../../facts/history-record.ts';
import { verbatimShares } from './verbatim.ts';

const { conversation } = openaiChat.decode([
  { role: 'user', content: 'Move the invoices to the new table, but never touch the audit log of March.' },
  { role: 'assistant', content: 'The `invoices_v2` table has 1,204 rows now.' },
]);
const { entries } = recordHistory(conversation.messages);

describe('how much of a line stands in its source', () => {
  test('all of a quote, whatever its case, signs and message numbers', () => {
    expect(verbatimShares(['NEVER touch the "audit log" of March (#1)'], entries)).toEqual([1]);
  });

  test('nothing of a line in other words, and nothing of one too short to tell', () => {
    expect(verbatimShares(['The log of audits stays as it was', 'the audit log', ''], entries)).toEqual([0, 0, 0]);
  });

  test('a quote in a script without spaces, and one with letters put together otherwise', () => {
    const { conversation: other } = openaiChat.decode([
      { role: 'user', content: '不要在周五部署到生产环境 and keep the café menu as it is' },
    ]);
    const source = recordHistory(other.messages).entries;
    expect(verbatimShares(['不要在周五部署到生产环境', 'keep the cafe\u0301 menu as it is'], source)).toEqual([1, 1]);
    expect(verbatimShares(['可以随时部署'], source)).toEqual([0]);
  });

  test('the part that is a quote', () => {
    const [share] = verbatimShares(['It was decided that never touch the audit log holds'], entries);
    expect(share).toBeCloseTo(5 / 10);
  });
});
