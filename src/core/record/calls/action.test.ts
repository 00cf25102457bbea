import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { safeCut, shorten } from '../../language/cut.ts';
import { outputVoice } from '../entries.ts';
import { describeCall, describeHeading } from './action.ts';
import { isLookup, readsRules, runsShell } from './action-kinds.ts';

function action(name: string, args: unknown) {
  return describeCall({
    type: 'tool-call',
    callId: 'c1',
    name,
    arguments: typeof args === 'string' ? args : JSON.stringify(args),
  });
}

describe('describeCall', () => {
  it('keeps the keys of arguments that fill in a form', () => {
    const call = (args: unknown): ReturnType<typeof describeCall> =>
      describeCall({ type: 'tool-call', callId: 'c1', name: 'update_booking', arguments: JSON.stringify(args) });
    expect(
      call({ booking_id: 'NV7K2Q', cabin: 'economy', flights: [{ number: 'NV318', date: '2026-03-14' }] }).target,
    ).toBe('booking_id: NV7K2Q, cabin: economy, number: NV318, date: 2026-03-14');
    expect(call({ booking_id: 'NV7K2Q' }).target).toBe('booking_id: NV7K2Q');
    const long = call(Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`field_${index}`, 'x'.repeat(20)])));
    expect(long.target?.length).toBeLessThanOrEqual(160);
    expect(long.texts.at(-1)).toBe(`field_11: ${'x'.repeat(20)}`);
  });

  it('reads calls of Claude Code', () => {
    expect(action('Read', { file_path: '/a/b.ts', offset: 3 })).toMatchObject({ verb: 'read', target: '/a/b.ts' });
    expect(action('Bash', { command: 'npm test', description: 'Runs tests' })).toMatchObject({
      verb: 'shell',
      target: 'npm test',
      texts: [],
    });
    expect(action('Edit', { file_path: 'a.ts', old_string: 'x\nsame', new_string: 'y\nsame' })).toMatchObject({
      verb: 'edit',
      added: ['y'],
      removed: ['x'],
    });
    expect(action('Grep', { pattern: 'TODO', path: 'src' })).toMatchObject({ verb: 'search', target: 'TODO in src' });
    expect(action('TodoWrite', { todos: [] }).verb).toBe('plan');
    expect(action('Task', { prompt: 'Look it up.' })).toMatchObject({ verb: 'delegate', texts: ['Look it up.'] });
    expect(action('AskUserQuestion', { question: 'Which one?' }).verb).toBe('ask');
  });

  it('reads calls of Codex: command arrays, folders and patches', () => {
    expect(action('shell', { command: ['bash', '-lc', 'cd pkg && make test'], workdir: '/work' })).toMatchObject({
      verb: 'shell',
      command: 'make test',
      folder: 'pkg',
    });
    expect(action('exec_command', { cmd: 'ls', workdir: '/work' })).toMatchObject({ verb: 'shell', folder: '/work' });
    const patch = '*** Begin Patch\n*** Update File: a.ts\n-x\n+y\n*** End Patch';
    expect(action('apply_patch', { input: patch })).toMatchObject({
      verb: 'edit',
      paths: ['a.ts'],
      patched: [{ path: 'a.ts', effect: 'modified' }],
      added: ['y'],
      removed: ['x'],
    });
    expect(action('apply_patch', patch)).toMatchObject({ paths: ['a.ts'], added: ['y'] });
  });

  it('reads calls of other agents', () => {
    expect(
      action('edit', {
        path: 'a.ts',
        edits: [
          { oldText: 'x', newText: 'y' },
          { oldText: 'p', newText: 'q' },
        ],
      }),
    ).toMatchObject({ paths: ['a.ts'], added: ['y', 'q'], removed: ['x', 'p'] });
    expect(action('edit', { filePath: 'a.ts', oldString: 'x', newString: 'y' })).toMatchObject({
      target: 'a.ts',
      added: ['y'],
      removed: ['x'],
    });
    expect(action('webfetch', { url: 'https://shop.example' })).toMatchObject({ verb: 'fetch' });
    expect(action('todowrite', {}).verb).toBe('plan');
    expect(action('read_file', { target_file: 'a.ts' })).toMatchObject({ verb: 'read', paths: ['a.ts'] });
    expect(action('get_order', { id: 4711 })).toMatchObject({ verb: 'other', target: '4711' });
  });

  it('tells what an editor with commands was asked to do', () => {
    const view = action('str_replace_based_edit_tool', { command: 'view', path: 'a.ts' });
    expect(view).toMatchObject({ verb: 'read', target: 'a.ts', command: null });
    expect(action('str_replace_editor', { command: 'create', path: 'a.ts', file_text: 'x' })).toMatchObject({
      verb: 'write',
      added: ['x'],
    });
  });

  it.each([
    ['apply_credit', 'other'],
    ['update_location', 'other'],
    ['authenticate', 'other'],
    ['submit_review', 'other'],
    ['post_thread_reply', 'other'],
    ['book_airplane', 'other'],
    ['get_explanation', 'other'],
    ['open_ticket', 'other'],
    ['list_orders', 'search'],
    ['mcp__files__read_text_file', 'read'],
    ['functions.exec', 'shell'],
    ['MultiEdit', 'edit'],
  ])('takes %s by its whole words for %s', (tool, verb) => {
    expect(action(tool, {}).verb).toBe(verb);
  });

  it('leaves arguments that are not JSON as one text', () => {
    expect(action('think', 'not { json')).toMatchObject({ verb: 'other', texts: ['not { json'], raw: 'not { json' });
    expect(action('Bash', 'make test')).toMatchObject({ command: 'make test' });
  });

  it('keeps a heading to one short line', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (command) => {
        const { target } = action('Bash', { command });
        expect(target ?? '').not.toMatch(/[\n\r\u2028\u2029]/);
        expect((target ?? '').length).toBeLessThanOrEqual(160);
      }),
    );
    expect(action('Grep', { pattern: 'a\rb' }).target).toBeNull();
  });

  it('never throws, whatever the arguments are', () => {
    fc.assert(fc.property(fc.json(), fc.string(), (json, name) => void action(name, json)));
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void action('Bash', text)));
    const deep = `${'{"a":'.repeat(20_000)}"x"${'}'.repeat(20_000)}`;
    expect(action('Write', deep).callId).toBe('c1');
  });

  it('takes files of hundreds of thousands of lines', () => {
    const content = 'line\n'.repeat(300_000);
    expect(action('Write', { path: 'a.txt', content }).added.length).toBe(300_000);
  });
});

describe('what a call is for', () => {
  it('tells lookups and rules files', () => {
    expect(isLookup(action('Bash', { command: 'git diff' }))).toBe(true);
    expect(isLookup(action('Bash', { command: 'git push' }))).toBe(false);
    expect(readsRules(action('Read', { path: '/srv/AGENTS.md' }))).toBe(true);
    expect(readsRules(action('Write', { path: '/srv/AGENTS.md' }))).toBe(false);
  });

  it.each<[string, object]>([
    ['Bash', { command: 'cat CONTRIBUTING.md' }],
    ['Bash', { command: "sed -n '1,80p' docs/style.md" }],
    ['Bash', { command: 'git show main:CLAUDE.md' }],
    ['Bash', { command: 'head -40 .cursor/rules/shop.mdc' }],
    ['view', { path: '/srv/.github/copilot-instructions.md' }],
    ['Read', { path: '/home/a/.claude/skills/review/references/till.md' }],
    ['Read', { path: 'docs/testing-guidelines.md' }],
    ['Grep', { pattern: 'never', path: 'skills/review/SKILL.md' }],
    ['Skill', { skill: 'review' }],
  ])('%s %j reads rules', (tool, args) => expect(readsRules(action(tool, args))).toBe(true));

  it.each<[string, object]>([
    ['Bash', { command: 'find . -name AGENTS.md' }],
    ['Bash', { command: 'git diff AGENTS.md' }],
    ['Bash', { command: 'wc -l CLAUDE.md' }],
    ['Glob', { pattern: '**/SKILL.md' }],
    ['Read', { path: 'src/style.css' }],
    ['Read', { path: 'src/guide.ts' }],
  ])('%s %j reads none', (tool, args) => expect(readsRules(action(tool, args))).toBe(false));

  it('takes the answer of another agent for a report, by whatever tool it comes', () => {
    for (const tool of ['Task', 'delegate_task', 'read_agent', 'wait_for_agents'])
      expect(outputVoice(action(tool, { id: 'a1' }))).toBe('report');
  });

  it('tells a shell from an interpreter', () => {
    expect(runsShell(action('Bash', { command: 'ls' }))).toBe(true);
    expect(runsShell(action('execute_code', { code: 'a > b' }))).toBe(false);
    expect(runsShell(action('Read', { path: 'a' }))).toBe(false);
  });

  it('is read back from a heading', () => {
    expect(describeHeading('Bash make test')).toMatchObject({
      verb: 'shell',
      command: 'make test',
      target: 'make test',
    });
    expect(describeHeading('noop')).toMatchObject({ verb: 'other', target: null, command: null });
  });
});

describe('shorten', () => {
  it('never parts a surrogate pair and never exceeds the length', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 2, max: 20 }), (text, chars) => {
        const short = shorten(text, chars);
        expect(short.length).toBeLessThanOrEqual(Math.max(chars, text.length <= chars ? text.length : 0));
        expect(short.isWellFormed()).toBe(true);
      }),
    );
    expect(safeCut('a😀', 2)).toBe(1);
  });
});
