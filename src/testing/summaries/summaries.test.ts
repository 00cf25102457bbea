import { describe, expect, it } from 'vitest';
import { SECTIONS } from '../../core/record/handoff/sections.ts';
import { headingsOf } from '../../core/summary/answer.ts';
import { instructionsFor, promptFor } from '../../core/summary/prompt.ts';
import { forgetfulSummary, lyingSummary, staleSummary } from './bad-summaries.ts';
import { goodSummary } from './good-summary.ts';

const BLOCKS = `#1 system: You are a coding agent. Never push to main.
#2 user: Fix the flaky login test in test/login.test.ts. Do not touch package-lock.json.
#3 assistant: I'll look at the test first.
#4 bash npm test -- login → failed
  Error: expected 200, got 401 at line 47
#5 read src/auth.ts
  export const TOKEN_TTL = 3600;
#6 assistant: I decided to use a fake clock because the token expires. The timeout is 30 seconds.
#7 edit src/auth.ts
  + export const TOKEN_TTL = 7200;
#8 user: Set the timeout to 45 seconds. At most 3 retries, and use port 8443 instead of 8080.
#9 bash npm test → failed, fixed by #10
  Error: ENOENT config/ports.json
#10 write config/ports.json
#11 assistant: src/auth.ts has the new timeout of 45. Next I will run the whole suite.`;

const PROMPT = `Summarise this.\n<<<data 77\n${BLOCKS}\ndata 77>>>`;

describe('goodSummary', () => {
  const summary = goodSummary(PROMPT);

  it('has the usual sections, and bullets that end with the number of their message', () => {
    expect(summary.match(/^#+ .*$/gm)).toEqual([
      '## Goal',
      '## Constraints & Preferences',
      '## Progress',
      '### Done',
      '### In progress',
      '### Blocked',
      '## Key Decisions',
      '## Relevant Files',
      '## Errors & Fixes',
      '## Next Steps',
      '## Critical Context',
    ]);
    const bullets = summary.match(/^- .*$/gm)!;
    expect(bullets.length).toBeGreaterThan(12);
    for (const bullet of bullets) expect(bullet).toMatch(/ \(#\d+\)$/);
  });

  it('puts things where they belong, constraints in the words of the user', () => {
    expect(summary).toContain('## Goal\n- "Fix the flaky login test in test/login.test.ts." (#2)');
    expect(summary).toContain(
      '- "Never push to main." (#1)\n- "Do not touch package-lock.json." (#2)\n- "At most 3 retries',
    );
    expect(summary).toContain('### In progress\n- The user asked: "Set the timeout to 45 seconds." (#8)');
    expect(summary).toContain(
      '### Blocked\n- bash npm test -- login failed: Error: expected 200, got 401 at line 47 (#4)',
    );
    expect(summary).toContain('- Decided to use a fake clock because the token expires (#6)');
    expect(summary).toContain('- bash npm test failed, fixed by #10: Error: ENOENT config/ports.json (#9)');
    expect(summary).toContain('## Next Steps\n- Planned to run the whole suite (#11)');
    expect(summary).toContain('- src/auth.ts has the new timeout of 45 (#11)');
  });

  it('gives values that hold, not those that were replaced', () => {
    expect(summary).toContain('TOKEN_TTL = 7200');
    expect(summary).not.toContain('3600');
    expect(summary).not.toContain('30 seconds');
  });

  it('is the same each time and shorter than a long transcript', () => {
    const long = Array.from(
      { length: 400 },
      (_, index) => `#${index + 1} bash step ${index}\n  value = ${index * 7919}`,
    );
    const prompt = `${PROMPT}\n${long.join('\n')}`;
    expect(goodSummary(prompt)).toBe(goodSummary(prompt));
    expect(goodSummary(prompt).length).toBeLessThan(prompt.length / 3);
  });

  it('understands the prompt of the engine: its headings, its facts, and the summary before', () => {
    const titles = headingsOf(SECTIONS).map(({ title }) => title);
    const fact = { text: 'commit 4f9d2c7 is the base', source: { message: 5 } } as Parameters<
      typeof promptFor
    >[0]['facts'][number];
    const input = {
      record: [],
      previous: '## Key Decisions\n- Chose vitest (#0)',
      facts: [fact],
      focus: null,
      tokens: 500,
    };
    const fence = { open: '<<<data 77', close: 'data 77>>>' };
    const prompt = promptFor({ ...input, blocks: BLOCKS.split('\n#'), part: { index: 0, of: 1 } }, fence);
    const text = goodSummary(prompt.replaceAll(/^(\d+ \w)/gm, '#$1'), instructionsFor(titles));
    expect(text).toContain('## Key Decisions\n- Chose vitest (#0)\n- Decided to use');
    expect(text).toContain('- commit 4f9d2c7 is the base (#5)');
    // The engine asks to leave out what is empty.
    expect(goodSummary('#1 user: Hello.', instructionsFor(titles))).toBe('## Goal\n- "Hello." (#1)\n## Progress');
  });

  it('writes something for a prompt without a transcript', () => {
    expect(goodSummary('')).toContain('## Goal\n(none)');
  });
});

describe('bad summaries', () => {
  it('forget every constraint and half of the names', () => {
    const summary = forgetfulSummary(PROMPT);
    expect(summary).toContain('## Constraints & Preferences\n(none)');
    for (const words of ['push to main', 'Do not touch', 'At most 3']) expect(summary).not.toContain(words);
    expect(summary).toContain('test/login.test.ts');
    expect(summary).toContain('something');
    expect(summary.match(/\(#\d+\)$/gm)!.length).toBe(summary.match(/^- /gm)!.length);
  });

  it('lie about constraints, files and numbers', () => {
    const summary = lyingSummary(PROMPT);
    expect(summary).toContain('"always push to main."');
    expect(summary).toContain('"at least 3 retries, and use port 8444 instead of 8081."');
    expect(summary).toContain('src/legacy/phantom-handler.ts');
    expect(summary).not.toContain('Never push');
    expect(summary).toContain('(#11)');
  });

  it('give values that were replaced', () => {
    const summary = staleSummary(PROMPT);
    expect(summary).toContain('use port 8080."');
    expect(summary).toContain('Set the timeout to 30 seconds');
    expect(summary).toContain('TOKEN_TTL = 3600');
    expect(summary).not.toMatch(/7200|8443/);
  });
});
