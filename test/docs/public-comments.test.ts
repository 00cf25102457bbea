/** Every name that a user of the package can import, and every member of such an interface, says what it is. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const project = fileURLToPath(new URL('../..', import.meta.url));
const { exports: subpaths } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as {
  readonly exports: Readonly<Record<string, string | { readonly default: string }>>;
};
const entries = Object.values(subpaths).flatMap((target) =>
  typeof target === 'string' ? [] : [target.default.replace('./dist/', 'src/').replace(/\.js$/, '.ts')],
);

interface Declared {
  readonly file: string;
  readonly name: string;
}

/** The names a module exports, with the file that declares each. */
function declaredBy(file: string): readonly Declared[] {
  const source = readFileSync(join(project, file), 'utf8');
  const own = [...source.matchAll(/^export (?:async )?(?:function|interface|type|const|class) (\w+)/gm)].map(
    ([, name = '']) => ({ file, name }),
  );
  const passedOn = [...source.matchAll(/^export (?:type )?\{([^}]*)\} from '(\.[^']+)';/gm)].flatMap(
    ([, list = '', from = '']) => {
      const target = join(dirname(file), from);
      const wanted = list.split(',').flatMap(
        (item) =>
          item
            .replace(/^\s*type /, '')
            .trim()
            .split(' as ')[0] || [],
      );
      return declaredBy(target).filter(({ name }) => wanted.includes(name));
    },
  );
  const all = [...source.matchAll(/^export \* as \w+ from '(\.[^']+)';/gm)].flatMap(([, from = '']) =>
    declaredBy(join(dirname(file), from)),
  );
  return [...own, ...passedOn, ...all];
}

/** What of a declaration has no comment: the name itself, or members of an interface. */
function bareIn({ file, name }: Declared): readonly string[] {
  const lines = readFileSync(join(project, file), 'utf8').split('\n');
  const at = lines.findIndex((line) =>
    new RegExp(`^export (?:async )?(?:function|interface|type|const|class) ${name}\\b`).test(line),
  );
  const hasComment = (index: number): boolean => /\*\/\s*$/.test(lines[index - 1] ?? '');
  const bare = hasComment(at) ? [] : [`${file}: ${name}`];
  if (!/^export interface /.test(lines[at] ?? '')) return bare;
  for (let index = at + 1; lines[index] !== '}' && index < lines.length; index++)
    if (/^ {2}(?:readonly )?[\w'[]/.test(lines[index] ?? '') && !hasComment(index))
      bare.push(
        `${file}: ${name}.${lines[index]
          ?.trim()
          .split(/[?:(<]/)[0]
          ?.replace('readonly ', '')}`,
      );
  return bare;
}

test.each(entries)('everything that %s exports has a comment', (entry) => {
  expect([...new Set(declaredBy(entry).flatMap(bareIn))]).toEqual([]);
});
