import { describe, expect, it } from 'vitest';
import type { FileState, FileTruth } from '../../bench/peers/battery/truth.ts';
import { isTold, rowOf } from '../../bench/peers/file-states.ts';

const file = (path: string, state: FileState, byShell = true): FileTruth => ({ path, state, byShell });

describe('what a view says about a file', () => {
  it.each<readonly [string, FileState]>([
    ['- src/a.ts (deleted)', 'deleted'],
    ['git rm --quiet src/a.ts && npm test', 'deleted'],
    ['renamed: old.ts → src/a.ts', 'moved'],
    ['{"command":"mv b.ts src/a.ts"}', 'moved'],
    ["cat > src/a.ts <<'EOF'", 'created'],
    ['Wrote 120 bytes to src/a.ts', 'created'],
    ["sed -i 's/x/y/' src/a.ts", 'edited'],
    ['edit(path="src/a.ts")', 'edited'],
    [`<modified-files>\n${'other/file.ts\n'.repeat(40)}src/a.ts\n</modified-files>`, 'edited'],
    [`Removed:\n${'- other/file.ts\n'.repeat(40)}- src/a.ts`, 'deleted'],
  ])('finds the state in %j', (text, state) => {
    expect(isTold(text, file('src/a.ts', state))).toBe(true);
  });

  it.each<readonly [string, FileState]>([
    ['Look at src/a.ts.', 'edited'],
    ['nothing', 'deleted'],
    ['Edited src/a.ts: replaced 1 occurrence', 'deleted'],
    [`deleted x.ts${' and so on'.repeat(20)} src/a.ts`, 'deleted'],
    ['for(const f of src/a.ts) form', 'deleted'],
    [`<read-files>\n${'other/file.ts\n'.repeat(40)}src/a.ts\n`, 'edited'],
  ])('finds no state in %j', (text, state) => {
    expect(isTold(text, file('src/a.ts', state))).toBe(false);
  });

  it('takes no word of the path for a state', () => {
    expect(isTold('See src/deleted/gone.ts', file('src/deleted/gone.ts', 'deleted'))).toBe(false);
  });

  it('counts those that commands changed apart', () => {
    const files = [file('a/one.ts', 'deleted'), file('a/two.ts', 'edited'), file('a/three.ts', 'edited', false)];
    const view = [
      { role: 'user', content: 'Now a/two.ts' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: '1', type: 'function', function: { name: 'bash', arguments: '{"command":"rm a/one.ts"}' } }],
      },
    ] as const;
    expect(rowOf({ arm: 'x', teller: 'none', retained: 0.1 }, files, view)).toEqual({
      arm: 'x',
      teller: 'none',
      retained: 0.1,
      files: 3,
      shellFiles: 2,
      named: 2,
      shellNamed: 2,
      told: 1,
      shellTold: 1,
    });
  });
});
