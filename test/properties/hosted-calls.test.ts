/** Calls that a provider ran itself: what a compaction makes of them. */
import { describe, expect, it } from 'vitest';
import { openContext } from '../../src/context/open.ts';
import { compact } from '../../src/core/compact.ts';
import { hostedIn } from '../../src/core/conversation/hosted.ts';
import { type Message, resultTextOf, textOf } from '../../src/core/conversation/message.ts';
import { findOriginal, refsIn } from '../../src/core/conversation/ref.ts';
import { isHandoff } from '../../src/core/record/handoff/handoff-message.ts';
import { anthropic, openaiResponses } from '../../src/formats/index.ts';
import type { Wire } from '../agent-wire.ts';

const TARGETS = [8_000, 5_000, 3_000, 1_500, 800];

const search = (at: number): readonly Wire[] => [
  { role: 'user', content: `Search for topic ${at}.` },
  {
    role: 'assistant',
    content: [
      { type: 'text', text: 'I search.' },
      { type: 'server_tool_use', id: `srvtoolu_${at}`, name: 'web_search', input: { query: `topic ${at} ledgers` } },
      {
        type: 'web_search_tool_result',
        tool_use_id: `srvtoolu_${at}`,
        content: Array.from({ length: 5 }, (_, page) => ({
          type: 'web_search_result',
          url: `https://example.org/${at}/${page}`,
          title: `Rule ${at}-${page} of ledgers`,
          encrypted_content: 'QUJD'.repeat(800),
        })),
      },
      {
        type: 'text',
        text: `Rule ${at} holds.`,
        citations: [
          { type: 'web_search_result_location', url: `https://example.org/${at}/0`, encrypted_index: 'QQ==' },
        ],
      },
    ],
  },
];

const searched = {
  model: 'm',
  max_tokens: 100,
  messages: [...Array.from({ length: 8 }, (_, at) => search(at)).flat(), { role: 'user', content: 'Go on.' }],
};

const item = (at: number): readonly Wire[] => [
  { role: 'user', content: `Find rule ${at}.` },
  {
    type: 'file_search_call',
    id: `fs_${at}`,
    queries: [`rule ${at}`],
    status: 'completed',
    results: Array.from({ length: 9 }, (_, file) => ({
      file_id: `file_${file}`,
      filename: `rules-${at}-${file}.md`,
      text: `Rule ${file} of file ${at} holds. `.repeat(20),
    })),
  },
  { type: 'mcp_approval_request', id: `mar_${at}`, name: 'pay', server_label: 'bank', arguments: '{"sum":7}' },
  { type: 'mcp_approval_response', approval_request_id: `mar_${at}`, approve: true },
  {
    type: 'mcp_call',
    id: `mcp_${at}`,
    approval_request_id: `mar_${at}`,
    name: 'pay',
    server_label: 'bank',
    arguments: '{"sum":7}',
    output: `Paid row ${at} of the ledger. `.repeat(100),
  },
  {
    type: 'message',
    role: 'assistant',
    id: `msg_${at}`,
    content: [{ type: 'output_text', text: `Row ${at} is paid.` }],
  },
];

const items = {
  model: 'm',
  input: [...Array.from({ length: 8 }, (_, at) => item(at)).flat(), { role: 'user', content: 'Go on.' }],
};

const viewText = (messages: readonly Message[]): string => messages.map(textOf).join('\n');

describe('hosted calls on the wire of Anthropic', () => {
  const before = anthropic.decode(searched).conversation;

  it('leave the view as pairs, and citations into them go too', async () => {
    for (const target of TARGETS) {
      const { conversation, receipt } = await compact(before, anthropic, { target });
      expect(receipt.tokens.after).toBeLessThanOrEqual(target);
      const wire = JSON.stringify(anthropic.encode(conversation));
      const callIds = [...wire.matchAll(/"id":"(srvtoolu_\d)"/g)].map(([, id]) => id);
      expect([...wire.matchAll(/"tool_use_id":"(srvtoolu_\d)"/g)].map(([, id]) => id)).toEqual(callIds);
      expect(wire.split('"citations"').length - 1).toBe(callIds.length);
    }
  });

  it('become a line that names the call, with a ref to all that it found', async () => {
    const { conversation, outcome } = await compact(before, anthropic, { target: 5_000 });
    expect(outcome).toBe('condensed');
    const text = viewText(conversation.messages);
    expect(text).toContain('[precis: web_search topic 0 ledgers');
    const refs = refsIn(text);
    expect(refs.length).toBeGreaterThan(4);
    for (const ref of refs) {
      const original = findOriginal(before.messages, ref);
      expect(original?.type).toBe('result');
      if (original?.type !== 'result') continue;
      const message = before.messages[original.message] as Message;
      const [hosted] = hostedIn(message);
      expect(resultTextOf(original.part)).toBe(hosted?.result && resultTextOf(hosted.result));
    }
  });

  it('are quoted when they are folded', async () => {
    const { conversation, outcome } = await compact(before, anthropic, { target: 1_500 });
    expect(outcome).toBe('folded');
    const handoff = textOf(conversation.messages.find(isHandoff) as Message);
    expect(handoff).toContain('web_search topic');
    expect(handoff).toMatch(/Rule \d-\d of ledgers/);
  });

  it('are found again by ref and by question in a context', async () => {
    await using context = await openContext({ id: 'a', window: 40_000 });
    await context.append(searched);
    const { request } = await context.compact({ target: 5_000 });
    const [ref] = refsIn(JSON.stringify(request));
    expect(context.original(ref ?? '')).toMatchObject({ type: 'result', message: 1 });
    expect((await context.recall(ref ?? '')).hits[0]?.text).toContain('Rule 0-4 of ledgers');
    const { hits } = await context.recall('Rule 3-2 of ledgers');
    expect(hits[0]).toMatchObject({ message: 8, text: expect.stringContaining('https://example.org/3/2') });
  });
});

describe('hosted calls on the wire of Responses', () => {
  const before = openaiResponses.decode(items).conversation;

  it('leave a sound view at every size, with approvals next to their requests', async () => {
    for (const target of TARGETS) {
      const { conversation, receipt } = await compact(before, openaiResponses, { target });
      expect(receipt.tokens.after).toBeLessThanOrEqual(target);
      const { input } = openaiResponses.encode(conversation) as { readonly input: readonly Wire[] };
      const idsOf = (type: string, key: string) => input.filter((one) => one['type'] === type).map((one) => one[key]);
      expect(idsOf('mcp_approval_response', 'approval_request_id')).toEqual(idsOf('mcp_approval_request', 'id'));
    }
  });

  it('become lines with refs that give back what they found', async () => {
    const { conversation } = await compact(before, openaiResponses, { target: 3_000 });
    const text = viewText(conversation.messages.filter((message) => !isHandoff(message)));
    expect(text).toContain('[precis: pay');
    for (const ref of refsIn(text)) expect(findOriginal(before.messages, ref)?.type).toBe('result');
  });
});

describe('a hosted call of which nobody sees what it found', () => {
  const code = (at: number): string =>
    `total = 0\nfor row in ledger_${at}:\n    total += row.sum  # never round\n`.repeat(30);
  const run = (at: number): readonly Wire[] => [
    { role: 'user', content: `Sum up ledger ${at}.` },
    {
      type: 'code_interpreter_call',
      id: `ci_${at}`,
      code: code(at),
      container_id: 'c',
      outputs: null,
      status: 'completed',
    },
    {
      type: 'message',
      role: 'assistant',
      id: `m_${at}`,
      content: [{ type: 'output_text', text: `Ledger ${at} is fine.` }],
    },
  ];
  const wire = {
    model: 'm',
    input: [...Array.from({ length: 8 }, (_, at) => run(at)).flat(), { role: 'user', content: 'Go on.' }],
  };

  it('becomes a line with a ref to what it was asked', async () => {
    const before = openaiResponses.decode(wire).conversation;
    const { conversation, outcome } = await compact(before, openaiResponses, { target: 2_500 });
    expect(outcome).toBe('condensed');
    const refs = refsIn(viewText(conversation.messages));
    expect(refs.length).toBeGreaterThan(3);
    for (const ref of refs) {
      const original = findOriginal(before.messages, ref);
      expect(original).toMatchObject({ type: 'call', part: { name: 'code_interpreter' } });
    }
    await using context = await openContext({ id: 'a', window: 40_000 });
    await context.append(wire);
    await context.compact({ target: 2_500 });
    expect(context.original(refs[0] ?? '')).toMatchObject({ type: 'call', part: { arguments: code(0) } });
    expect((await context.recall(refs[0] ?? '')).hits[0]?.text).toContain('for row in ledger_0');
  });
});
