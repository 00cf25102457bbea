import { describe, expect, it } from 'vitest';
import { openaiChat } from '../../../formats/openai-chat/index.ts';
import { build } from '../../../testing/build/build.ts';
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
      root(read('/srv/shop/src/a.ts'), read('/srv/shop/b.ts'), read('/srv/shop/c.ts'), read('/srv/shop/d.ts')),
    ).toBe('/srv/shop');
    const most = ['a', 'b', 'c', 'd'].map((name) => read(`/srv/shop/${name}.ts`));
    expect(root(...most, read('/etc/hosts'))).toBe('/srv/shop');
  });

  it('is told by a file that is said both ways', () => {
    const inner = ['a', 'b', 'c'].map((name) => read(`/srv/shop/src/${name}.ts`));
    expect(root(...inner)).toBe('/srv/shop/src');
    expect(root(...inner, read('src/a.ts'))).toBe('/srv/shop');
    expect(root(...inner, ['Bash', { command: 'rm src/b.ts' }])).toBe('/srv/shop');
    expect(root(read('/srv/shop/src/a.ts'), read('src/a.ts'))).toBe('/srv/shop');
  });

  it('is told by where commands run', () => {
    const inner = ['a', 'b', 'c'].map((name) => read(`/srv/shop/src/${name}.ts`));
    expect(root(...inner, ['Bash', { command: 'cd /srv/shop && make' }])).toBe('/srv/shop');
    expect(root(['exec_command', { cmd: 'make', workdir: '/srv/shop/' }])).toBe('/srv/shop');
    expect(root(...inner, ['Bash', { command: 'cd /elsewhere/now && make' }])).toBe('/srv/shop/src');
  });

  it('is nothing where few or no paths tell', () => {
    expect(root()).toBe('');
    expect(root(read('/srv/shop/a.ts'), read('/srv/shop/b.ts'))).toBe('');
    expect(root(read('/a.ts'), read('/b.ts'), read('/c.ts'))).toBe('');
    expect(root(read('/one/x/a'), read('/two/x/b'), read('/three/x/c'))).toBe('');
  });

  it('knows paths of Windows', () => {
    expect(root(read('C:\\shop\\app\\a.ts'), read('C:\\shop\\app\\b.ts'), read('C:\\shop\\app\\c.ts'))).toBe(
      'C:\\shop\\app',
    );
  });
});
