import { describe, expect, it } from 'vitest';
import { openaiChat } from '../../formats/openai-chat/index.ts';
import { build } from '../../testing/build/build.ts';
import { ledgerOf } from '../worth/judge-facts.ts';

type Calls = readonly (readonly [tool: string, args: object | string, result?: string])[];

function files(calls: Calls): readonly string[] {
  let session = build().user('Go on.');
  for (const [tool, args, result = 'done'] of calls) session = session.call(tool, args).result(result);
  return ledgerOf(session.decode(openaiChat).messages)
    .facts.filter((fact) => fact.kind === 'file')
    .map((fact) => fact.text);
}

const sh = (command: string, result?: string): Calls[number] =>
  result === undefined ? ['Bash', { command }] : ['Bash', { command }, result];

describe('the state of files', () => {
  it('is folded over tools that read, write, edit, delete and move', () => {
    expect(
      files([
        ['Read', { file_path: 'a.ts' }],
        ['Write', { file_path: 'b.ts', content: 'x' }],
        ['Read', { file_path: 'c.ts' }],
        ['Edit', { file_path: 'c.ts', old_string: 'x', new_string: 'y' }],
        ['delete_file', { path: 'd.ts' }],
        ['move_file', { source: 'e.ts', destination: 'f.ts' }],
        ['rename_file', { old_path: 'g.ts', new_path: 'h.ts' }],
      ]),
    ).toEqual([
      'a.ts (read)',
      'b.ts (created)',
      'c.ts (modified)',
      'd.ts (deleted)',
      'f.ts (renamed from e.ts)',
      'h.ts (renamed from g.ts)',
    ]);
  });

  it('is folded over shell commands and tools together, the latest wins', () => {
    expect(files([['Write', { path: 'a.ts', content: 'x' }], sh('rm a.ts')])).toEqual(['a.ts (deleted)']);
    expect(files([sh('rm a.ts'), ['Write', { path: 'a.ts', content: 'x' }]])).toEqual(['a.ts (created)']);
    expect(files([sh('rm a.ts'), sh('echo 1 > a.ts'), sh('sed -i s/1/2/ a.ts')])).toEqual(['a.ts (created)']);
    expect(files([['Read', { path: 'a.ts' }], sh('echo 1 > ./a.ts')])).toEqual(['a.ts (modified)']);
  });

  it('is critical for what changed, not for what was deleted in a folder for such things', () => {
    const session = build()
      .user('Go on.')
      .call('Bash', { command: 'echo 1 > /tmp/try.mjs; rm old.ts; echo 1 > new.ts; echo 1 > /tmp/kept.log' })
      .result('done')
      .call('Bash', { command: 'rm /tmp/try.mjs; rm new.ts' })
      .result('done');
    const { facts } = ledgerOf(session.decode(openaiChat).messages);
    expect(
      facts.filter(({ kind }) => kind === 'file').map(({ text, critical }) => `${text}${critical ? '!' : ''}`),
    ).toEqual(['/tmp/try.mjs (deleted)', 'old.ts (deleted)!', 'new.ts (deleted)!', '/tmp/kept.log (created)!']);
  });

  it('takes patches apart, also inside a shell call', () => {
    const patch =
      '*** Begin Patch\n*** Add File: a.ts\n+one\n*** Update File: b.ts\n-x\n+y\n*** Delete File: c.ts\n*** Update File: d.ts\n*** Move to: e.ts\n+z\n*** End Patch';
    const expected = ['a.ts (created)', 'b.ts (modified)', 'c.ts (deleted)', 'e.ts (renamed from d.ts)'];
    expect(files([['apply_patch', { input: patch }]])).toEqual(expected);
    expect(files([['shell', { command: ['apply_patch', patch] }]])).toEqual(expected);
    expect(files([['shell', { command: ['bash', '-lc', `apply_patch <<'EOF'\n${patch}\nEOF`] }]])).toEqual(expected);
  });

  it('does not change by calls that failed', () => {
    expect(files([sh('rm a.ts', 'Error: permission denied')])).toEqual([]);
    expect(files([['Write', { path: 'b.ts', content: '' }, '<tool_use_error>no</tool_use_error>']])).toEqual([]);
  });

  it('goes with a renamed file: chains know the first name, new files have none, a deleted one is deleted', () => {
    expect(files([sh('mv a.ts b.ts'), sh('mv b.ts c.ts')])).toEqual(['c.ts (renamed from a.ts)']);
    expect(files([sh('touch a.ts'), sh('mv a.ts b.ts')])).toEqual(['b.ts (created)']);
    expect(files([sh('mv a.ts b.ts'), sh('mv b.ts a.ts')])).toEqual(['a.ts (modified)']);
    expect(files([sh('mv a.ts b.ts'), sh('rm b.ts')])).toEqual(['b.ts (deleted)']);
  });

  it('goes with the folder of the file', () => {
    expect(files([['Write', { path: 'old/a.ts', content: 'x' }], sh('rm -rf old/')])).toEqual(['old/a.ts (deleted)']);
    expect(files([['Edit', { path: 'old/a.ts', old_string: 'x', new_string: 'y' }], sh('mv old new')])).toEqual([
      'new/a.ts (renamed from old/a.ts)',
    ]);
    expect(files([['Read', { path: 'lib/a.ts' }], sh('mv b.ts lib')])).toEqual([
      'lib/a.ts (read)',
      'lib/b.ts (renamed from b.ts)',
    ]);
  });

  it('is one for the absolute and the relative form of a path', () => {
    expect(
      files([
        ['Read', { path: '/srv/shop/src/a.ts' }],
        ['Read', { path: '/srv/shop/src/b.ts' }],
        ['Read', { path: '/srv/shop/src/c.ts' }],
        sh('sed -i s/x/y/ src/a.ts'),
        sh('cd /srv/shop && rm src/b.ts'),
        sh('cd src && rm c.ts'),
      ]),
    ).toEqual(['src/a.ts (modified)', 'src/b.ts (deleted)', 'src/c.ts (deleted)']);
  });

  it('is not made up from addresses, tables or programs in other languages', () => {
    expect(files([['read_resource', { uri: 'https://shop.example/a.json' }]])).toEqual([]);
    expect(files([['delete_row', { source: 'customers' }]])).toEqual([]);
    expect(files([['execute_code', { code: 'if a.x > b.y: pass' }]])).toEqual([]);
    expect(files([['Read', { path: 'Makefile' }]])).toEqual(['Makefile (read)']);
  });
});
