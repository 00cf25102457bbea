/** Sessions on the disk: files larger than a string, databases, folders, and where agents keep them. */
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { findSessions, openSessionFile } from '../../src/sessions/index.ts';
import { precis } from '../cli/fake-world.ts';
import { outline } from './outline.ts';
import * as logs from './samples.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'precis-places-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function put(name: string, content: string | logs.Sample, minute = 0): Promise<string> {
  const path = join(folder, name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, typeof content === 'string' ? content : logs.textOfSample(content));
  await utimes(path, new Date(logs.at(minute)), new Date(logs.at(minute)));
  return path;
}

async function database(name: string, statements: readonly string[]): Promise<string> {
  const path = join(folder, name);
  await mkdir(dirname(path), { recursive: true });
  const opened = new DatabaseSync(path);
  for (const statement of statements) opened.exec(statement);
  opened.close();
  return path;
}

const HERMES = [
  `CREATE TABLE sessions (id TEXT PRIMARY KEY, model TEXT, system_prompt TEXT, parent_session_id TEXT, started_at REAL, ended_at REAL,
   end_reason TEXT, title TEXT, archived INTEGER)`,
  `CREATE TABLE messages (id INTEGER PRIMARY KEY, session_id TEXT, role TEXT, content TEXT, tool_call_id TEXT, tool_calls TEXT,
   tool_name TEXT, timestamp REAL, reasoning TEXT, active INTEGER DEFAULT 1, compacted INTEGER DEFAULT 0)`,
  `INSERT INTO sessions VALUES
   ('old', 'hermes-4', 'You help.', NULL, 1772359200, 1772359300, 'compression', NULL, 0),
   ('tip', 'hermes-4', 'You help.', 'old', 1772359300, NULL, NULL, 'The cart', 0),
   ('gone', 'hermes-4', '', NULL, 1772360000, NULL, NULL, NULL, 1),
   ('other', 'hermes-4', '', NULL, 1772350000, NULL, NULL, NULL, 0)`,
  `INSERT INTO messages (session_id, role, content, tool_call_id, tool_calls, timestamp, reasoning, active, compacted) VALUES
   ('old', 'user', 'Fix the cart.', NULL, NULL, 1772359201, NULL, 1, 0),
   ('old', 'assistant', '', NULL, '[{"id":"h1","type":"function","function":{"name":"terminal","arguments":"{}"}}]', 1772359202, 'Look.', 0, 1),
   ('old', 'tool', 'cart.ts', 'h1', NULL, 1772359203, NULL, 0, 1),
   ('old', 'user', 'taken back', NULL, NULL, 1772359204, NULL, 0, 0),
   ('tip', 'user', 'Summary: looked around.', NULL, NULL, 1772359301, NULL, 1, 0),
   ('tip', 'user', 'Fix the cart.', NULL, NULL, 1772359302, NULL, 1, 0),
   ('tip', 'user', char(0) || 'json:[{"type":"text","text":"Go on."}]', NULL, NULL, 1772359303, NULL, 1, 0),
   ('tip', 'assistant', 'It was the tax.', NULL, NULL, 1772359304, NULL, 1, 0),
   ('other', 'user', 'Something else.', NULL, NULL, 1772350001, NULL, 1, 0)`,
];

const OPENCODE = [
  `CREATE TABLE session (id TEXT PRIMARY KEY, title TEXT, directory TEXT, time_created INTEGER, time_updated INTEGER, time_archived INTEGER)`,
  `CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT, time_created INTEGER, data TEXT)`,
  `CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT, data TEXT)`,
  `INSERT INTO session VALUES ('ses_1', 'The cart', '/home/me/shop', 1772359200000, 1772359300000, NULL)`,
  `INSERT INTO message VALUES
   ('m2', 'ses_1', 1772359202000, '{"role":"assistant","modelID":"claude-sonnet-5","tokens":{"input":9,"output":4}}'),
   ('m1', 'ses_1', 1772359201000, '{"role":"user"}')`,
  `INSERT INTO part VALUES
   ('p1', 'm1', 'ses_1', '{"type":"text","text":"Fix the cart."}'),
   ('p2', 'm2', 'ses_1', '{"type":"tool","tool":"bash","callID":"o1","state":{"status":"completed","input":{"command":"ls"},"output":"cart.ts"}}'),
   ('p3', 'm2', 'ses_1', 'broken')`,
];

describe('a database of Hermes', () => {
  it('gives the newest session from its first compaction on, and says that there are others', async () => {
    const path = await database('hermes/state.db', HERMES);
    const document = await openSessionFile(path);
    expect(outline(document)).toEqual([
      'system: You help.',
      'user: Fix the cart.',
      'assistant: (Look.) | h1=terminal{}',
      'tool: h1→cart.ts',
      'user: Summary: looked around.',
      'user: Go on.',
      'assistant: It was the tax.',
    ]);
    expect(document.source.meta).toMatchObject({ id: 'tip', title: 'The cart', compactions: 2, models: ['hermes-4'] });
    expect(document.notes).toEqual([
      { text: `the database holds 2 sessions; this is the newest, ${path}#ID takes another` },
    ]);
    expect(outline(await openSessionFile(path, { sinceCompaction: true }))).toHaveLength(5);
    expect(outline(await openSessionFile(`${path}#other`))).toEqual(['user: Something else.']);
    await expect(openSessionFile(`${path}#none`)).rejects.toThrow('got `none`, which is not in the database');
  });

  it('reads what a compaction in place archived, and not the copies it wrote', async () => {
    const row = (role: string, content: string, id: string | null, state: string): string =>
      `('in-place', '${role}', '${content}', ${id === null || role === 'assistant' ? 'NULL' : `'${id}'`}, ${role === 'assistant' && id !== null ? `'[{"id":"${id}","function":{"name":"f","arguments":"{}"}}]'` : 'NULL'}, ${state})`;
    const path = await database('in-place.db', [
      ...HERMES.slice(0, 2),
      "INSERT INTO sessions (id, model, started_at) VALUES ('in-place', 'hermes-4', 1772359200)",
      `INSERT INTO messages (session_id, role, content, tool_call_id, tool_calls, active, compacted) VALUES ${[
        row('user', 'Fix the cart.', null, '0, 1'),
        row('assistant', '', 'h1', '0, 1'),
        row('tool', 'cart.ts', 'h1', '0, 1'),
        row('user', 'yes', null, '0, 1'),
        row('assistant', '', 'h2', '0, 1'),
        row('tool', 'a long output', 'h2', '0, 1'),
        row('user', 'Fix the cart.', null, '1, 0'),
        row('user', '[CONTEXT COMPACTION] Looked around.', null, '1, 0'),
        row('assistant', '', 'h2', '1, 0'),
        row('tool', '[cleared]', 'h2', '1, 0'),
        row('assistant', 'It was the tax.', null, '1, 0'),
        row('user', 'yes', null, '1, 0'),
      ].join(', ')}`,
    ]);
    const document = await openSessionFile(path);
    expect(outline(document)).toEqual([
      'user: Fix the cart.',
      'assistant: h1=f{}',
      'tool: h1→cart.ts',
      'user: yes',
      'assistant: h2=f{}',
      'tool: h2→a long output',
      'user: [CONTEXT COMPACTION] Looked around.',
      'assistant: It was the tax.',
      'user: yes',
    ]);
    expect(document.source.records[6]?.isSummary).toBe(true);
    expect(outline(await openSessionFile(path, { sinceCompaction: true }))).toHaveLength(6);
  });

  it('refuses a database of something else, and a broken one', async () => {
    const other = await database('other.db', ['CREATE TABLE cats (id)']);
    await expect(openSessionFile(other)).rejects.toThrow('got an SQLite database of neither Hermes nor OpenCode');
    const broken = await put('broken.db', `SQLite format 3\0${'x'.repeat(5000)}`);
    await expect(openSessionFile(broken)).rejects.toThrow('expected an SQLite database that can be read');
    await expect(openSessionFile(await database('empty.db', HERMES.slice(0, 2)))).rejects.toThrow(
      'with a session in it, got none',
    );
  });
});

test('a database of OpenCode', async () => {
  const document = await openSessionFile(await database('opencode.db', OPENCODE));
  expect(outline(document)).toEqual(['user: Fix the cart.', 'assistant: o1=bash{"command":"ls"}', 'tool: o1→cart.ts']);
  expect(document.source.meta).toMatchObject({ id: 'ses_1', title: 'The cart', cwd: '/home/me/shop' });
  expect(document.source.records[1]?.usage?.outputTokens).toBe(4);
});

test('the files of OpenCode before its database', async () => {
  const [{ info, messages }] = logs.openCodeSample.values as readonly [
    {
      readonly info: object;
      readonly messages: readonly { readonly info: { readonly id: string }; readonly parts: readonly object[] }[];
    },
  ];
  const path = await put('opencode/storage/session/project/ses_1.json', JSON.stringify(info));
  for (const message of messages) {
    await put(`opencode/storage/message/ses_1/${message.info.id}.json`, JSON.stringify(message.info));
    for (const [index, part] of message.parts.entries())
      await put(`opencode/storage/part/${message.info.id}/prt_${index}.json`, JSON.stringify(part));
  }
  const document = await openSessionFile(path);
  expect(outline(document)).toEqual(outline(await openSessionFile(await put('export.json', logs.openCodeSample))));
  expect(document.source.meta).toMatchObject({ id: 'ses_1', title: 'The cart' });
  const found = await findSessions({ home: '/nowhere', env: { XDG_DATA_HOME: folder } });
  expect(found.map((each) => each.path)).toEqual([path]);
});

test('a folder of OpenHands', async () => {
  const state = { id: 'oh-1', agent: { kind: 'Agent', llm: { model: 'claude-sonnet-5' } } };
  await put('openhands/oh-1/base_state.json', JSON.stringify(state));
  for (const [index, event] of logs.openHandsSample.values.entries())
    await put(`openhands/oh-1/events/event-${String(index).padStart(5, '0')}-x.json`, JSON.stringify(event));
  await put('openhands/oh-1/events/event-00099-x.json', '{"cut');
  const document = await openSessionFile(join(folder, 'openhands/oh-1'));
  expect(outline(document)).toEqual(
    outline(await openSessionFile(await put('oh.json', JSON.stringify(logs.openHandsSample.values)))),
  );
  expect(document.source.meta).toMatchObject({ id: 'oh-1', models: ['claude-sonnet-5'], compactions: 1 });
  expect(document.notes).toEqual([{ text: 'event-00099-x.json: not valid JSON, left out' }]);
});

describe('the usual places', () => {
  const home = (): string => join(folder, 'home');
  beforeAll(async () => {
    await put('home/.claude/projects/-home-me-shop/s-1.jsonl', logs.claudeCodeSample, 1);
    await put('home/.claude/projects/-home-me-shop/s-1/subagents/agent-1.jsonl', logs.claudeCodeSample, 9);
    await put('home/.codex/sessions/2026/03/01/rollout-2026-03-01-c-1.jsonl', logs.codexSample, 2);
    await put('home/.codex/history.jsonl', '{}');
    await put('home/.pi/agent/sessions/--home-me-shop--/1_p-1.jsonl', logs.piSample, 3);
    await put('home/.gemini/tmp/abc/chats/session-1.jsonl', logs.geminiSample, 4);
    await put('home/.gemini/tmp/abc/logs.json', '[]');
    await put('home/.copilot/session-state/k-1/events.jsonl', logs.copilotSample, 5);
    await put('home/.hermes/sessions/h-1.jsonl', logs.hermesSample, 6);
    await database('home/.hermes/state.db', HERMES);
    await database('home/.local/share/opencode/opencode.db', OPENCODE);
  });

  it('are searched for each agent, newest first', async () => {
    const found = await findSessions({ home: home(), env: {} });
    expect(found.map(({ path, reader }) => `${reader} ${path.slice(home().length + 1)}`)).toEqual([
      'hermes .hermes/sessions/h-1.jsonl',
      'copilot-cli .copilot/session-state/k-1/events.jsonl',
      'gemini-cli .gemini/tmp/abc/chats/session-1.jsonl',
      'pi .pi/agent/sessions/--home-me-shop--/1_p-1.jsonl',
      'codex .codex/sessions/2026/03/01/rollout-2026-03-01-c-1.jsonl',
      'hermes .hermes/state.db#tip',
      'opencode .local/share/opencode/opencode.db#ses_1',
      'claude-code .claude/projects/-home-me-shop/s-1.jsonl',
      'hermes .hermes/state.db#other',
    ]);
    for (const { path, reader } of found) expect((await openSessionFile(path)).source.reader).toBe(reader);
  });

  it('are where the environment says', async () => {
    const env = {
      CODEX_HOME: join(home(), '.codex'),
      OPENCODE_DB: join(home(), '.local/share/opencode/opencode.db'),
      HERMES_HOME: '',
    };
    const found = await findSessions({ home: '/nowhere', env });
    expect(found.map(({ reader }) => reader)).toEqual(['codex', 'opencode']);
  });

  it('are listed', async () => {
    const { out, code } = await precis(['sessions', '--limit', '2'], { home: home(), screen: { columns: 100 } });
    expect(code).toBe(0);
    expect(out.replaceAll(home(), '~')).toBe(
      [
        'agent        last written         tokens  messages  title',
        'hermes       2026-03-01 10:06         59         4  Fix the cart.',
        '  ~/.hermes/sessions/h-1.jsonl',
        'copilot-cli  2026-03-01 10:05        109         7  Fix the cart.',
        '  ~/.copilot/session-state/k-1/events.jsonl',
        '7 older files not opened; `--limit` lists more.',
        '',
      ].join('\n'),
    );
  });

  it('are listed as JSON, of one agent', async () => {
    const { out } = await precis(['sessions', '--json', '--agent', 'claude-code'], { home: home() });
    expect(JSON.parse(out)).toEqual({
      sessions: [
        {
          agent: 'claude-code',
          tokens: expect.any(Number),
          messages: 12,
          modifiedAt: logs.at(1),
          title: 'Cart without tax',
          path: join(home(), '.claude/projects/-home-me-shop/s-1.jsonl'),
          id: 's-1',
          cwd: '/home/me/shop',
          startedAt: logs.at(0),
          endedAt: logs.at(7),
          models: ['claude-sonnet-5'],
          compactions: 1,
        },
      ],
      more: 0,
      unread: 0,
    });
  });

  it('may hold nothing', async () => {
    expect(await precis(['sessions'], { home: join(folder, 'nobody') })).toMatchObject({
      code: 0,
      out: 'No session found in the usual places.\nTo search elsewhere: precis sessions FOLDER\n',
    });
    const refused = await precis(['sessions', '--agent', 'morse']);
    expect(refused.code).toBe(2);
    expect(refused.err).toContain('expected `--agent` to be one of claude-code, codex');
    expect(await precis(['sessions', join(folder, 'missing')])).toMatchObject({ code: 2 });
  });
});

test('a folder of anything: sessions are listed, the rest is counted', async () => {
  await put('mixed/a.jsonl', logs.codexSample, 1);
  await put('mixed/deep/b.json', JSON.stringify([{ role: 'user', content: 'plain \u001b[31mred' }]), 2);
  await put('mixed/deep/c.json', '{"a":1}', 3);
  await put('mixed/node_modules/d.jsonl', logs.codexSample, 4);
  const path = join(folder, 'mixed');
  const { out } = await precis(['sessions', path], { folders: [path] });
  expect(out.split('\n').filter((line) => !line.startsWith('  '))).toEqual([
    expect.stringMatching(/^agent .* title$/),
    expect.stringMatching(/^generic .* 1 {2}plain \[31mred$/),
    expect.stringMatching(/^codex .* 13 {2}Fix the cart\.$/),
    '1 file held no readable session.',
    '',
  ]);
});

describe('the other commands take logs too', () => {
  it('compacts one into plain messages, and says so', async () => {
    const path = await put('long.jsonl', { ...logs.codexSample, values: [...logs.codexSample.values, ...longCodex()] });
    const { code, err, written } = await precis(['compact', path, '--target', '900', '--out', 'out.json']);
    expect(code).toBe(0);
    expect(err).toBe(
      'note: precis never writes to a log of Codex; the result is plain messages in the format openai-chat\n',
    );
    const messages = JSON.parse(written['out.json'] ?? '') as readonly { readonly role: string }[];
    expect(messages[0]?.role).toBe('system');
  });

  it('shows messages of one, since its compaction if asked', async () => {
    const path = await put('show.jsonl', logs.codexSample);
    expect((await precis(['show', path, '4'])).out).toBe('user: Fix the cart.\n');
    expect((await precis(['show', path, '3', '--since-compaction'])).out).toBe('user: Summary: the tax was missing.\n');
  });

  it('takes one run of several', async () => {
    const path = await put('runs.json', logs.tauBenchSample);
    expect((await precis(['compact', path, '--run', '9'])).err).toBe(
      'precis: expected `--run` to be an integer from 1 to 2, got `9` (number)\n',
    );
    expect((await precis(['compact', path])).out).toContain('note: the file holds 2 runs');
    expect((await precis(['show', path, '3', '--run', '2'])).code).toBe(2);
  });
});

function longCodex(): readonly object[] {
  return Array.from({ length: 20 }, (_, index) => [
    {
      timestamp: logs.at(9),
      type: 'response_item',
      payload: { type: 'function_call', name: 'shell', arguments: '{"command":"cat log"}', call_id: `l${index}` },
    },
    {
      timestamp: logs.at(9),
      type: 'response_item',
      payload: { type: 'function_call_output', call_id: `l${index}`, output: `line ${index}\n`.repeat(60) },
    },
  ]).flat();
}
