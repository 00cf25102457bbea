/** Every reader on a short log of its own: what was said, what the log says about it, and what the model saw after a compaction. */
import { describe, expect, it, test } from 'vitest';
import { readSession, type SessionDocument } from '../../src/sessions/index.ts';
import { outline } from './outline.ts';
import * as logs from './samples.ts';

const read = (sample: logs.Sample, options: object = {}): SessionDocument =>
  readSession(logs.textOfSample(sample), { name: 'log', ...options });
const since = { sinceCompaction: true };
const notesOf = (document: SessionDocument): readonly string[] => document.notes.map((note) => note.text);

test.each(logs.samples.map((sample) => [sample.reader, sample] as const))(
  '%s is found by content, and sound',
  (reader, sample) => {
    for (const options of [{}, since]) {
      const document = read(sample, options);
      expect(document.source.reader).toBe(reader);
      expect(document.shape).toBe('log');
      expect(document.format.check(document.conversation)).toEqual([]);
      expect(document.source.records).toHaveLength(document.conversation.messages.length);
    }
  },
);

test('a log is written as plain messages, which can be read again', () => {
  for (const sample of logs.samples) {
    const document = read(sample);
    const text = document.write(document.conversation as Parameters<SessionDocument['write']>[0]);
    const again = readSession(text, { name: 'plain', format: document.format.id });
    expect(outline(again)).toEqual(outline(document));
  }
});

describe('Claude Code', () => {
  const document = read(logs.claudeCodeSample);

  it('merges the lines of an answer, and leaves side chains and abandoned branches out', () => {
    expect(outline(document)).toEqual([
      'user: The cart total is wrong. Fix cart.ts.',
      'assistant: (Look first.) | t1=Bash{"command":"cat cart.ts"} | t2=Bash{"command":"ls"}',
      'tool: t1→const total = 1;',
      'tool: t2→cart.ts',
      'assistant: The tax is missing.',
      'user: Add the tax.',
      'user: Caveat: a note of the host.',
      'assistant: API Error',
      'user: Summary of what was done.',
      'assistant: t3=Bash{"command":"npm test"}',
      'tool: t3→ok',
      'assistant: Done.',
    ]);
    expect(notesOf(document)).toEqual([
      '2 messages of side chains left out',
      '1 message of branches that were given up left out',
    ]);
  });

  it('counts usage once, with the output of the last line', () => {
    const usages = document.source.records.flatMap((record) => record.usage ?? []);
    expect(usages.map((usage) => usage.outputTokens)).toEqual([90, 40, 20, 8]);
    expect(usages[0]).toEqual({ inputTokens: 3210, cachedInputTokens: 3000, cacheWriteTokens: 200, outputTokens: 90 });
    expect(document.source.records[7]).toEqual({ timestamp: logs.at(4) });
    expect(document.source.records[8]).toEqual({ timestamp: logs.at(5), isSummary: true });
    expect(document.source.meta).toEqual({
      id: 's-1',
      title: 'Cart without tax',
      cwd: '/home/me/shop',
      startedAt: logs.at(0),
      endedAt: logs.at(7),
      models: ['claude-sonnet-5'],
      compactions: 1,
    });
  });

  it('gives the summary, what was kept and what came after', () => {
    expect(outline(read(logs.claudeCodeSample, since))).toEqual([
      'user: Summary of what was done.',
      'user: Add the tax.',
      'assistant: t3=Bash{"command":"npm test"}',
      'tool: t3→ok',
      'assistant: Done.',
    ]);
  });

  it('keeps what stands before a line whose parent is not in the file', () => {
    const values = logs.claudeCodeSample.values.map((value) =>
      (value as { readonly uuid?: string }).uuid === 'b1' ? { ...(value as object), logicalParentUuid: 'gone' } : value,
    );
    expect(outline(read({ ...logs.claudeCodeSample, values }))).toEqual(outline(document));
  });

  it('reads the log of a subagent, which is all side chain', () => {
    const values = logs.claudeCodeSample.values.filter(
      (value) => (value as { isSidechain?: boolean }).isSidechain === true,
    );
    expect(outline(read({ ...logs.claudeCodeSample, values }))).toEqual([
      'user: subagent task',
      'assistant: subagent answer',
    ]);
  });

  it('does not go round in circles', () => {
    const line = (uuid: string, parentUuid: string): object => ({
      uuid,
      parentUuid,
      sessionId: 's',
      type: 'user',
      message: { role: 'user', content: uuid },
    });
    expect(outline(read({ reader: '', values: [line('a', 'b'), line('b', 'a'), line('b', 'a')] }))).toEqual([
      'user: a',
      'user: b',
    ]);
  });

  it('leaves out content that has no type, and messages that cannot be sent', () => {
    const line = (uuid: string, parentUuid: string | null, message: object): object => ({
      uuid,
      parentUuid,
      sessionId: 's',
      type: 'user',
      message,
    });
    const document = read({
      reader: '',
      values: [
        line('a', null, { role: 'user', content: ['x', { type: 'text', text: 'kept' }] }),
        line('b', 'a', { role: 'user', content: [{ type: 'text', text: 7 }] }),
        line('c', 'b', { role: 'user' }),
        line('d', 'c', { role: 'user', content: 'end' }),
      ],
    });
    expect(outline(document)).toEqual(['user: kept', 'user: end']);
    expect(notesOf(document)).toEqual([
      '1 piece of content without a type left out',
      '1 piece of content without a type left out',
      'left out message 2: expected `content[0].text` to be a string, got `7` (number)',
    ]);
  });
});

describe('Codex', () => {
  const document = read(logs.codexSample);

  it('makes one answer of the items of a request, and drops what was rolled back', () => {
    expect(outline(document)).toEqual([
      'system: You are a coding agent.',
      'system: Sandbox: none.',
      'user: <environment_context>\n<cwd>/home/me/shop</cwd>\n</environment_context>',
      'user: Fix the cart.',
      'assistant: (Look.) | I look at it. | k1=shell{"command":"cat cart.ts"} | k2=apply_patch*** Begin Patch',
      'tool: k1→const total = 1;',
      'tool: k2→patched',
      'assistant: provider_1=web_search{"type":"search","query":"vat rate"}',
      'tool: provider_1→[run by the provider; its result is not in the log]',
      'assistant: It was the tax.',
      'user: Summary: the tax was missing.',
      'user: Run the tests.',
      'assistant: k3=shell{"command":"npm test"}',
    ]);
    expect(notesOf(document)).toEqual(['1 turn that the user took back left out']);
    expect(JSON.stringify(document.conversation)).not.toContain('secret');
  });

  it('takes usage from the event that ends a request', () => {
    const usages = document.source.records.flatMap((record) => record.usage ?? []);
    expect(usages).toEqual([
      { inputTokens: 1000, cachedInputTokens: 800, cacheWriteTokens: 0, outputTokens: 50 },
      { inputTokens: 1100, cachedInputTokens: 1000, cacheWriteTokens: 0, outputTokens: 20 },
    ]);
    expect(document.source.meta).toMatchObject({
      id: 'c-1',
      cwd: '/home/me/shop',
      models: ['gpt-5.5'],
      compactions: 1,
    });
  });

  it('starts from the replacement of the last compaction', () => {
    expect(outline(read(logs.codexSample, since)).slice(1)).toEqual([
      'user: Fix the cart.',
      'user: Summary: the tax was missing.',
      'user: Run the tests.',
      'assistant: k3=shell{"command":"npm test"}',
    ]);
  });

  it('reads a compaction of an older version, which has a summary alone', () => {
    const values = logs.codexSample.values.map((value) =>
      (value as { readonly type: string }).type === 'compacted'
        ? { ...(value as object), payload: { message: 'So far: tax.' } }
        : value,
    );
    expect(outline(read({ ...logs.codexSample, values }, since)).slice(1, 5)).toEqual([
      'user: <environment_context>\n<cwd>/home/me/shop</cwd>\n</environment_context>',
      'user: Fix the cart.',
      'user: So far: tax.',
      'user: Run the tests.',
    ]);
  });
});

test('Hermes: one message a line after a line about the session', () => {
  const document = read(logs.hermesSample);
  expect(outline(document)).toEqual([
    'user: Fix the cart.',
    'assistant: (Look.) | h1=terminal{"command":"ls"}',
    'tool: h1→cart.ts',
    'assistant: It was the tax.',
  ]);
  expect(document.source.meta).toMatchObject({ models: ['hermes-4'], startedAt: logs.at(0), endedAt: logs.at(2) });
});

test('Hermes: a snapshot with its prompt', () => {
  const messages = logs.hermesSample.values.slice(1);
  const snapshot = { session_id: 'h-1', model: 'hermes-4', system_prompt: 'You help.', message_count: 4, messages };
  const document = read({ reader: 'hermes', isDocument: true, values: [snapshot] });
  expect(outline(document).slice(0, 2)).toEqual(['system: You help.', 'user: Fix the cart.']);
  expect(document.source.meta.id).toBe('h-1');
});

describe('pi', () => {
  it('follows the newest leaf, and keeps the summary in its place', () => {
    const document = read(logs.piSample);
    expect(outline(document)).toEqual([
      'user: Fix the cart.',
      'assistant: (Look.) | q1=read{"path":"cart.ts"}',
      'tool: q1→const total = 1;',
      'assistant: It was the tax.',
      'user: Ran `npm test`\n```\nok\n```',
      'user: The tax was missing.',
      'user: Go on.',
      'assistant: Done.',
    ]);
    expect(document.source.records[1]?.usage).toEqual({
      inputTokens: 1150,
      cachedInputTokens: 1000,
      cacheWriteTokens: 50,
      outputTokens: 20,
    });
    expect(notesOf(document)).toEqual(['2 entries of branches that were given up left out']);
  });

  it('gives the summary and what it kept', () => {
    expect(outline(read(logs.piSample, since))).toEqual([
      'user: The tax was missing.',
      'assistant: It was the tax.',
      'user: Ran `npm test`\n```\nok\n```',
      'user: Go on.',
      'assistant: Done.',
    ]);
  });

  it('reads the oldest files, a plain list', () => {
    const message = (role: string, text: string): object => ({
      type: 'message',
      message: { role, content: [{ type: 'text', text }] },
    });
    const values = [
      { type: 'session', id: 'p', cwd: '/', modelId: 'm' },
      message('user', 'one'),
      message('assistant', 'two'),
      { type: 'compaction', summary: 'sum', firstKeptEntryIndex: 2 },
      message('user', 'three'),
    ];
    expect(outline(read({ reader: 'pi', values }))).toEqual([
      'user: one',
      'assistant: two',
      'user: sum',
      'user: three',
    ]);
    expect(outline(read({ reader: 'pi', values }, since))).toEqual(['user: sum', 'assistant: two', 'user: three']);
  });

  it('applies edits of the context', () => {
    const values = [
      ...logs.piSample.values,
      { id: '12', parentId: '11', type: 'context_edit', targetId: '7', replacement: null },
    ];
    expect(outline(read({ reader: 'pi', values })).join()).not.toContain('npm test');
  });
});

describe('OpenCode', () => {
  it('splits a tool part into call and result', () => {
    const document = read(logs.openCodeSample);
    expect(outline(document)).toEqual([
      'user: Fix the cart.\n\nCalled the Read tool',
      'assistant: (Look.) | o1=bash{"command":"ls"} | o2=bash{"command":"rm"}',
      'tool: o1→cart.ts',
      'tool: o2→denied',
      'assistant: The tax was missing.',
      'user: Go on.',
      'assistant: Running. | o3=bash{"command":"npm test"}',
    ]);
    expect(document.source.records[1]).toEqual({
      timestamp: '2026-03-01T10:01:00.000Z',
      model: 'claude-sonnet-5',
      usage: { inputTokens: 1150, cachedInputTokens: 1000, cacheWriteTokens: 50, outputTokens: 25 },
    });
    expect(document.source.meta).toMatchObject({
      id: 'ses_1',
      title: 'The cart',
      cwd: '/home/me/shop',
      compactions: 1,
    });
  });

  it('gives the summary and what came after', () => {
    expect(outline(read(logs.openCodeSample, since))).toEqual([
      'assistant: The tax was missing.',
      'user: Go on.',
      'assistant: Running. | o3=bash{"command":"npm test"}',
    ]);
  });
});

describe('Gemini CLI', () => {
  it('replaces records, rewinds and updates', () => {
    const document = read(logs.geminiSample);
    expect(outline(document)).toEqual([
      'user: Fix the cart.',
      'assistant: (Cart: the tax) | I look. | g1=read_file{"path":"cart.ts"}',
      'tool: g1→const total = 1;',
      'user: Add the tax.',
    ]);
    expect(document.source.records[1]?.usage).toEqual({
      inputTokens: 500,
      cachedInputTokens: 100,
      cacheWriteTokens: 0,
      outputTokens: 27,
    });
    expect(document.source.meta).toMatchObject({ id: 'g-1', title: 'The cart', endedAt: logs.at(9) });
  });

  it('reads the older form, one document, the same', () => {
    const [meta, ...records] = logs.geminiSample.values as readonly Record<string, unknown>[];
    const messages = [records[0], records[3], records[8]];
    const document = read({ reader: 'gemini-cli', isDocument: true, values: [{ ...meta, messages }] });
    expect(outline(document)).toEqual(outline(read(logs.geminiSample)));
  });

  it('deletes everything on a rewind to an id that is not there', () => {
    const values = [...logs.geminiSample.values, { $rewindTo: 'gone' }, { id: '9', type: 'user', content: 'again' }];
    expect(outline(read({ reader: '', values }))).toEqual(['user: again']);
  });
});

test('SWE-agent: text actions are calls, the demonstration is left out', () => {
  const document = read(logs.sweAgentSample);
  expect(outline(document)).toEqual([
    'system: You fix bugs.',
    'user: Fix the cart.',
    'assistant: Look. | action_1=bash{"command":"ls"}',
    'tool: action_1→cart.ts',
    'assistant: Open it. | w1=open{"path":"cart.ts"}',
    'tool: w1→const total = 1;',
    'assistant: action_2=bash{"command":"submit"}',
  ]);
  expect(notesOf(document)).toEqual(['1 message of the demonstration left out']);
});

test('mini-swe-agent: both of its modes', () => {
  const document = read(logs.miniSweAgentSample);
  expect(outline(document)).toEqual([
    'system: You fix bugs.',
    'user: Fix the cart.',
    'assistant: THOUGHT: look | action_1=bash{"command":"ls -la"}',
    'tool: action_1→<returncode>0</returncode>\n<output>\ncart.ts\n</output>',
    'assistant: n1=bash{"command":"cat"}',
    'tool: n1→const total = 1;',
  ]);
  expect(document.source.records[2]).toEqual({ timestamp: '2026-03-01T10:00:00.500Z', model: 'claude-sonnet-5' });
  expect(JSON.stringify(document.conversation)).not.toContain('"extra"');
});

describe('OpenHands', () => {
  it('makes one answer of the actions of a response', () => {
    expect(outline(read(logs.openHandsSample))).toEqual([
      'system: You fix bugs.',
      'user: Fix the cart.',
      'assistant: (Hm.) | Look. | x1=terminal{"command":"ls"} | x2=terminal{"command":"rm"}',
      'tool: x1→cart.ts',
      'tool: x2→Action rejected: no',
      'user: Looked around.',
      'assistant: It was the tax.',
    ]);
  });

  it('applies condensations', () => {
    expect(outline(read(logs.openHandsSample, since))).toEqual([
      'system: You fix bugs.',
      'user: Fix the cart.',
      'user: Looked around.',
      'assistant: It was the tax.',
    ]);
  });
});

test('Copilot CLI: the newest prompt, no subagents', () => {
  const document = read(logs.copilotSample);
  expect(outline(document)).toEqual([
    'system: The prompt.',
    'user: Fix the cart.',
    'assistant: (Hm.) | I look. | y1=bash{"command":"ls"} | y2=bash{"command":"rm"}',
    'tool: y1→cart.ts',
    'tool: y2→denied',
    'user: Looked around.',
    'user: Go on.',
  ]);
  expect(notesOf(document)).toEqual([
    '1 earlier version of the system prompt left out',
    '1 message of subagents left out',
  ]);
  expect(outline(read(logs.copilotSample, since))).toEqual([
    'system: The prompt.',
    'user: Looked around.',
    'user: Go on.',
  ]);
});

describe('tau-bench', () => {
  it('takes the first run and says so, or the one it is told', () => {
    const document = read(logs.tauBenchSample);
    expect(outline(document)).toEqual([
      'system: You sell flights.',
      'user: Change my flight.',
      'assistant: z1=find{"user":"me"}',
      'tool: z1→LH 400',
    ]);
    expect(notesOf(document)).toEqual(['the file holds 2 runs; this is the first, `run` takes another']);
    const second = read(logs.tauBenchSample, { run: 2 });
    expect(outline(second)).toHaveLength(2);
    expect(second.source.meta.title).toBe('task 8, trial 1');
    expect(notesOf(second)).toEqual([]);
  });

  it('refuses a run that is not there', () => {
    expect(() => read(logs.tauBenchSample, { run: 3 })).toThrow(
      'Expected `run` to be an integer from 1 to 2, got `3` (number)',
    );
  });
});

test('calls between tags become calls', () => {
  expect(outline(read(logs.taggedSample))).toEqual([
    'system: You search.',
    'user: Who won?',
    'assistant: <think>Hm.</think> | call_1=search{"q":"won"}',
    'tool: call_1→The blue team.',
    'assistant: <answer>Blue.</answer>',
  ]);
  const shareGpt = {
    conversations: [
      { from: 'human', value: 'Who won?' },
      { from: 'gpt', value: '<tool_call>not json</tool_call>' },
      { from: 'tool', value: '<tool_response>no</tool_response>' },
    ],
  };
  expect(outline(read({ reader: '', isDocument: true, values: [shareGpt] }))).toEqual([
    'user: Who won?',
    'assistant: <tool_call>not json</tool_call>',
    'user: <tool_response>no</tool_response>',
  ]);
});

test('AIOpsLab: actions written as code', () => {
  expect(outline(read(logs.aiOpsSample))).toEqual([
    'assistant: Thought: look.\nAction: | action_1=exec_shell{"command":"kubectl get pods"}',
    'tool: action_1→cart 0/1 CrashLoopBackOff',
    'assistant: action_2=get_logs{"arguments":"\\"shop\\", \\"cart\\""}',
    'tool: action_2→out of memory',
    'assistant: I am done. | action_3=action{"text":""}',
    'tool: action_3→No action found.',
  ]);
});

test('a list of what would be the lines of a log is read as one', () => {
  const text = JSON.stringify(logs.claudeCodeSample.values, null, 2);
  expect(outline(readSession(text, { name: 'list' }))).toEqual(outline(read(logs.claudeCodeSample)));
});

test('one line of a log is a log', () => {
  const [line] = logs.claudeCodeSample.values.slice(2);
  expect(outline(readSession(JSON.stringify(line), { name: 'line' }))).toEqual([
    'user: The cart total is wrong. Fix cart.ts.',
  ]);
});
