import { describe, expect, it } from 'vitest';
import { SYSTEM, turns, type Wire } from '../../../test/agent-wire.ts';
import { compact } from '../../core/compact.ts';
import { openaiResponses } from '../../formats/index.ts';
import { openContext } from '../open.ts';

const kept = {
  model: 'm',
  previous_response_id: 'resp_1',
  max_output_tokens: 500,
  input: [{ role: 'user', content: 'Look at the ledger again. '.repeat(2_000) }],
};

describe('a request whose history a server keeps', () => {
  it('comes back from `apply` as the same object, with its size and the reason', async () => {
    await using context = await openContext({ id: 'a', window: 4_000 });
    const prepared = await context.apply(kept);
    expect(prepared.request).toBe(kept);
    expect(prepared).toMatchObject({ outcome: 'unchanged', receipt: null, fits: false, notes: [] });
    expect(prepared.reason).toContain('`previous_response_id`');
    expect(prepared.tokens).toBe(prepared.account.total);
    expect(prepared.account.output).toBe(500);
    expect(context.viewOf(null)).toEqual([]);
    expect(context.metrics().compactions).toBe(0);
  });

  it('is never compacted when it was appended', async () => {
    await using context = await openContext({ id: 'a', window: 4_000 });
    await context.append(kept);
    const { outcome, request, reason } = await context.prepare();
    expect(request).toEqual(kept);
    expect(outcome).toBe('unchanged');
    expect(reason).toContain('held back: a server keeps or edits earlier messages');
  });

  it('comes back from `compact()` as the same conversation', async () => {
    const { conversation } = openaiResponses.decode(kept);
    const { conversation: after, outcome, receipt } = await compact(conversation, openaiResponses, { target: 100 });
    expect(after).toBe(conversation);
    expect(outcome).toBe('unchanged');
    expect(receipt.reason).toContain('`previous_response_id`');
  });
});

describe('a context for a strict server', () => {
  it('sends every view in turns and with short ids, and says what it changed', async () => {
    await using context = await openContext({ id: 'a', window: 8_000, strict: { alternate: true, idChars: 8 } });
    await context.append([
      SYSTEM,
      ...turns(1, 30),
      { role: 'user', content: 'More.' },
      { role: 'user', content: 'And on.' },
    ]);
    const { request, notes, outcome } = await context.prepare();
    expect(outcome).toBe('folded');
    const roles = (request as Wire[]).map(({ role }) => role);
    for (const [at, role] of roles.entries()) if (role !== 'tool') expect(role).not.toBe(roles[at + 1]);
    expect(notes.length).toBeGreaterThan(0);
    expect((await context.prepare()).request).toBe(request);
  });

  it('changes nothing without that option', async () => {
    await using context = await openContext({ id: 'a', window: 8_000 });
    const wire = [SYSTEM, { role: 'user', content: 'More.' }, { role: 'user', content: 'And on.' }];
    await context.append(wire);
    expect(await context.prepare()).toMatchObject({ request: wire, notes: [] });
  });
});
