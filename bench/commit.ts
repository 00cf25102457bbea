import { execFileSync } from 'node:child_process';

/** Which code was measured: the commit, with a `+` when files differ from it; null where there is no repository to ask. */
export function measuredCommit(): string | null {
  try {
    const git = (...args: readonly string[]): string =>
      execFileSync('git', args, {
        cwd: import.meta.dirname,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }).trim();
    // Results and pages made of them do not change what is measured.
    const changed = git('status', '--porcelain', '--', '../src', '../bench', ':!results', ':!baseline.json');
    return git('rev-parse', '--short=10', 'HEAD') + (changed === '' ? '' : '+');
  } catch {
    return null;
  }
}
