import { execFileSync } from 'node:child_process';

/** What the figures come from. Results and pages made of them do not change what is measured. */
const MEASURED = [
  '../src',
  '../bench',
  '../fixtures',
  '../test/crash',
  '../package-lock.json',
  ':!results',
  ':!baseline.json',
];

/** Which code was measured: the commit, with a `+` when files differ from it; null where there is no repository to ask. */
export function measuredCommit(): string | null {
  try {
    const git = (...args: readonly string[]): string =>
      execFileSync('git', args, {
        cwd: import.meta.dirname,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }).trim();
    const changed = git('status', '--porcelain', '--', ...MEASURED);
    return git('rev-parse', '--short=10', 'HEAD') + (changed === '' ? '' : '+');
  } catch {
    return null;
  }
}
