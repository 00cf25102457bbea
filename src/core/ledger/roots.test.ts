import { describe, expect, it } from 'vitest';
import { openaiChat } from '../../formats/openai-chat/index.ts';
import { build } from '../../testing/build.ts';
import { commonRoot } from './roots.ts';

function root(...calls: readonly (readonly [string, object])[]): string {
  let session = build().user('Go.');
  for (const [tool, args] of calls) session = session.call(tool, args).result('ok');
  return commonRoot(session.decode(openaiChat).messages);
}

const read = (path: string) => ['Read', { path }] as const;

describe('commonRoot', () => {
  it('is the deepest folder of most absolute paths', () => {
    expect(
      root(read('/work/shop/src/a.ts'), read('/work/shop/b.ts'), read('/work/shop/c.ts'), read('/work/shop/d.ts')),
    ).toBe('/work/shop');
    const most = ['a', 'b', 'c', 'd'].map((name) => read(`/work/shop/${name}.ts`));
    expect(root(...most, read('/etc/hosts'))).toBe('/work/shop');
  });

  it('is told by a file that is said both ways', () => {
    const inner = ['a', 'b', 'c'].map((name) => read(`/work/shop/src/${name}.ts`));
    expect(root(...inner)).toBe('/work/shop/src');
    expect(root(...inner, read('src/a.ts'))).toBe('/work/shop');
    expect(root(...inner, ['Bash', { command: 'rm src/b.ts' }])).toBe('/work/shop');
    expect(root(read('/work/shop/src/a.ts'), read('src/a.ts'))).toBe('/work/shop');
  });

  it('is told by where commands run', () => {
    const inner = ['a', 'b', 'c'].map((name) => read(`/work/shop/src/${name}.ts`));
    expect(root(...inner, ['Bash', { command: 'cd /work/shop && make' }])).toBe('/work/shop');
    expect(root(['exec_command', { cmd: 'make', workdir: '/work/shop/' }])).toBe('/work/shop');
    expect(root(...inner, ['Bash', { command: 'cd /elsewhere/now && make' }])).toBe('/work/shop/src');
  });

  it('is nothing where few or no paths tell', () => {
    expect(root()).toBe('');
    expect(root(read('/work/shop/a.ts'), read('/work/shop/b.ts'))).toBe('');
    expect(root(read('/a.ts'), read('/b.ts'), read('/c.ts'))).toBe('');
    expect(root(read('/one/x/a'), read('/two/x/b'), read('/three/x/c'))).toBe('');
  });

  it('knows paths of Windows', () => {
    expect(root(read('C:\\shop\\app\\a.ts'), read('C:\\shop\\app\\b.ts'), read('C:\\shop\\app\\c.ts'))).toBe(
      'C:\\shop\\app',
    );
  });
});
