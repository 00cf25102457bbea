import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normalizePath } from './file-effect.ts';
import { shellEffects } from './shell.ts';

function effects(command: string, folder?: string): readonly string[] {
  return shellEffects(command, folder).map(
    ({ effect, path, from }) => `${effect} ${from === undefined ? '' : `${from} → `}${path}`,
  );
}

describe('shellEffects', () => {
  it.each<[string, readonly string[]]>([
    ["sed -i 's/a/b/' src/a.ts", ['modified src/a.ts']],
    ['sed -i.bak s/a/b/ a.txt b.txt', ['modified a.txt', 'modified b.txt']],
    ["sed -i '' -e 's/x/y/' a.txt", ['modified a.txt']],
    ["sed --in-place 's/x/y/' a.txt", ['modified a.txt']],
    ["sed -n '1,5p' a.txt", []],
    ["perl -pi -e 's/a/b/' a.pl", ['modified a.pl']],
    ['mv a b', ['renamed a → b']],
    ['mv a.ts b.ts dir/', ['renamed a.ts → dir/a.ts', 'renamed b.ts → dir/b.ts']],
    ['mv -t dir a.ts lib/b.ts', ['renamed a.ts → dir/a.ts', 'renamed lib/b.ts → dir/b.ts']],
    ['git mv old.ts new.ts', ['renamed old.ts → new.ts']],
    ['git -C pkg mv old.ts new.ts', ['renamed pkg/old.ts → pkg/new.ts']],
    ['rm -rf build', ['deleted build']],
    ['rm -f a.ts "my notes.txt"', ['deleted a.ts', 'deleted my notes.txt']],
    ['git rm -q old.ts', ['deleted old.ts']],
    ['git rm --cached secret.env', []],
    ['make > out.log', ['created out.log']],
    ['make >> out.log', ['modified out.log']],
    ['make >out.log 2>&1', ['created out.log']],
    ['make &> out.log', ['created out.log']],
    ['make 2> err.log', ['created err.log']],
    ['make | tee build.log', ['created build.log']],
    ['make | tee -a build.log', ['modified build.log']],
    ['touch a.ts b.ts', ['created a.ts', 'created b.ts']],
    ['cp -r src/a.ts lib/b.ts', ['created lib/b.ts']],
    ['cp a.ts b.ts lib/', ['created lib/a.ts', 'created lib/b.ts']],
    ['git checkout -- a.ts', ['modified a.ts']],
    ['git checkout HEAD~1 -- src/a.ts', ['modified src/a.ts']],
    ['git restore src/a.ts', ['modified src/a.ts']],
    ['git restore --staged src/a.ts', []],
    ['cat README.md src/a.ts', ['read README.md', 'read src/a.ts']],
    ['curl -s -o page.html https://shop.example/', ['created page.html']],
  ])('reads what `%s` does', (command, expected) => {
    expect(effects(command)).toEqual(expected);
  });

  it('takes the file of a heredoc and leaves its body alone', () => {
    const command = "cat > src/a.ts <<'EOF'\nif (a > b.txt) rm(x.ts);\nmv one.ts two.ts\nEOF\nrm old.ts";
    expect(effects(command)).toEqual(['created src/a.ts', 'deleted old.ts']);
  });

  it('follows commands behind &&, ||, ; and pipes, and keeps their order', () => {
    expect(effects('rm a.ts && touch b.ts || rm c.ts; sort d.txt | tee e.txt')).toEqual([
      'deleted a.ts',
      'created b.ts',
      'deleted c.ts',
      'created e.txt',
    ]);
  });

  it('follows cd into folders, and a subshell back out', () => {
    expect(effects('cd pkg && rm a.ts')).toEqual(['deleted pkg/a.ts']);
    expect(effects('(cd pkg; rm a.ts); rm b.ts')).toEqual(['deleted pkg/a.ts', 'deleted b.ts']);
    expect(effects('cd pkg/lib && rm ../a.ts')).toEqual(['deleted pkg/a.ts']);
    expect(effects('rm a.ts', 'pkg')).toEqual(['deleted pkg/a.ts']);
    expect(effects('cd /srv/shop && rm a.ts')).toEqual(['deleted a.ts']);
  });

  it('looks into shells that are given a command', () => {
    expect(effects(`sudo bash -lc 'rm a.ts && mv b.ts c.ts'`)).toEqual(['deleted a.ts', 'renamed b.ts → c.ts']);
  });

  it('sees through assignments, keywords and sudo', () => {
    expect(effects('FORCE=1 sudo rm a.ts')).toEqual(['deleted a.ts']);
    expect(effects('if true; then rm a.ts; fi')).toEqual(['deleted a.ts']);
  });

  it.each([
    'make 2>/dev/null',
    'make > /dev/null 2>&1',
    'echo "a > b.txt"',
    "echo 'x' '>' y.txt",
    "grep -n '>out.txt' notes",
    '[[ a > b.txt ]] && true',
    '(( count > limit ))',
    "awk '$1 > 3' table",
    'git log --format="%h > %s"',
    'echo done # > later.txt',
    'git checkout feature/login',
    'git checkout -b release/1.2.x',
    'rm $TARGET "$HOME/a.ts" *.log src/{a,b}.ts',
    'for file in a b; do rm "$file"; done',
    'head -n 20 5',
    'wc -l <<< "a b"',
    `git commit -m "$(cat <<'EOF'\nsay "hello" > world.txt\nrm it.ts\nEOF\n)"`,
    'echo "$(date > when.txt)"',
  ])('makes no file out of `%s`', (command) => {
    expect(effects(command)).toEqual([]);
  });

  it('goes on behind a commit message that looks like commands', () => {
    const command = `git commit -m "$(cat <<'EOF'\nsay "hello" > world.txt\nEOF\n)" && rm old.ts`;
    expect(effects(command)).toEqual(['deleted old.ts']);
  });

  it('knows the file commands of PowerShell', () => {
    expect(effects('Remove-Item -Recurse -Force src\\old.ts')).toEqual(['deleted src\\old.ts']);
    expect(effects("Set-Content -Path a.txt -Value 'x > y'; Add-Content b.txt 'more'")).toEqual([
      'created a.txt',
      'modified b.txt',
    ]);
    expect(effects('Move-Item a.txt -Destination b.txt')).toEqual(['renamed a.txt → b.txt']);
    expect(effects('Get-Process | Out-File -Append log.txt')).toEqual(['modified log.txt']);
  });

  it('never throws and names only lines', () => {
    const piece = fc.constantFrom(
      'rm ',
      'mv ',
      'a.ts',
      ' ',
      '"',
      "'",
      '`',
      '$(',
      ')',
      '((',
      '>',
      '<<E',
      '\nE\n',
      '\\',
      '&',
      ';',
      '[[',
      'cd ',
      '\r',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(piece).map((pieces) => pieces.join('')),
        ),
        (command) => {
          for (const { path } of shellEffects(command)) expect(path).not.toMatch(/[\n\r\u2028\u2029]/);
        },
      ),
    );
  });

  it('takes time in proportion to the text', () => {
    for (const unit of ['$(', '<<A ', '"', '`', '((', 'a ', '> ', '<<A\n']) shellEffects(unit.repeat(50_000));
  });
});

describe('normalizePath', () => {
  it.each([
    ['./a/../b//c/', 'b/c'],
    ['../a', '../a'],
    ['/srv/./x', '/srv/x'],
    ['.', ''],
  ])('says `%s` as `%s`', (path, expected) => {
    expect(normalizePath(path)).toBe(expected);
  });
});
