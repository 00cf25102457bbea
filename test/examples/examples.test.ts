/** Every example runs as it stands, and says what its reader is told it says. */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const folder = fileURLToPath(new URL('../../examples', import.meta.url));

function run(name: string): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [`${folder}/${name}`], { encoding: 'utf8' });
  expect(status, stderr).toBe(0);
  return stdout;
}

const EXPECTED: Readonly<Record<string, readonly RegExp[]>> = {
  'agent.ts': [
    /^c1 (?:folded|condensed): \d+ to \d+ tokens$/m,
    /^c3 (?:folded|condensed): \d+ to \d+ tokens$/m,
    /^switched to small-model$/m,
    /^undone: \d+ tokens again$/m,
    /^answer: Worker 3 lost its lease on shard 4411/m,
    /^recalled: ERROR worker 3 lost its lease on shard 4411$/m,
    /^\d+ turns, \d+ compactions \(\d+ folded\), 1 undone, 1 recalled$/m,
  ],
  'compact-file.ts': [
    /^OpenAI chat, folded: \d+ tokens to \d+/m,
    /^159 messages to \d+$/m,
    /^critical facts: \d+ of \d+ in the view$/m,
  ],
  'evaluate.ts': [
    /^full: 100 % visible, 100 % kept, \d+ tokens$/m,
    /^candidate: \d+ % visible, \d+ % kept, \d+ tokens$/m,
    /^precis against truncation: inconclusive, \d+ points more facts visible$/m,
  ],
  'forecast.ts': [
    /^60000: nothing to do/m,
    /^40000: fold 0 steps, condense [1-9]/m,
    /^10000: fold [1-9]/m,
    /^300: too small, about \d+ tokens must stay$/m,
  ],
  'replay.ts': [
    /^57 requests in a window of 40,000 tokens/m,
    /^summary-85: \$0\.\d\d, compactions: [1-9]/m,
    /^precis: \$0\.\d\d, compactions: [1-9]/m,
  ],
  'look-up-a-ref.ts': [/^\[precis: .* left out, original ⟦r:[0-9a-f]{13}⟧\]$/m, /is the result in message \d+/],
};

describe('examples', () => {
  test('are all run here', () => {
    const programs = readdirSync(folder).filter((name) => name.endsWith('.ts'));
    expect(programs.sort()).toEqual(Object.keys(EXPECTED).sort());
  });

  test.each(Object.entries(EXPECTED))('%s', (name, patterns) => {
    const output = run(name);
    for (const pattern of patterns) expect(output).toMatch(pattern);
  });
});
