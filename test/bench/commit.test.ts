import { expect, it } from 'vitest';
import { measuredCommit } from '../../bench/commit.ts';
import { codeOf } from '../../bench/report/figures.ts';

it('names the commit, and says when files differ from it; without a repository nothing is said', () => {
  const commit = measuredCommit();
  if (commit !== null) expect(commit).toMatch(/^[0-9a-f]{10,}\+?$/);
  expect(codeOf({ commit: 'abc+' })).toBe('changed after commit abc, ');
  expect(codeOf({ commit: 'abc' })).toBe('commit abc, ');
  expect(codeOf({ commit: null })).toBe('');
});
