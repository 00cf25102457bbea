import { describe, expect, test } from 'vitest';
import { openaiChat } from '../../formats/index.ts';
import { recordHistory } from '../handoff/record.ts';
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

  test('the part that is a quote', () => {
    const [share] = verbatimShares(['It was decided that never touch the audit log holds'], entries);
    expect(share).toBeCloseTo(5 / 10);
  });
});
