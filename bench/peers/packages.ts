/**
 * The peers that run from npm, in exact versions: a bench that installs the newest would measure something else each week. They are never a
 * dependency and never committed; `install.ts` puts each into a folder of its own outside the package.
 */
export const PACKAGES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'pi-coding-agent': { '@earendil-works/pi-coding-agent': '0.87.1' },
  'pi-agent-core': { '@earendil-works/pi-agent-core': '0.87.1' },
  cline: { '@cline/core': '0.0.86' },
  'gemini-cli': { '@google/gemini-cli-core': '0.61.0' },
  langchain: { langchain: '1.5.14', '@langchain/core': '1.2.13' },
  'ai-sdk': { ai: '7.0.169' },
};

/** What people would look for in the table and why it is not there. */
export const NOT_RUN: readonly (readonly [string, string])[] = [
  ['pi 1.5.0', 'its dependency `@earendil-works/pi-codemode@1.5.0` is not on npm, so 0.87.1 runs instead'],
  [
    'opencode, codex, qwen-code, continue, Claude Code',
    'they are programs, not libraries, so the bench cannot call their compaction',
  ],
  ['Hermes, OpenHands, goose, crush', 'they are not on npm'],
  [
    'opencode-dcp, tokenjuice, headroom-ai',
    'they are a plug-in that needs its host, a filter for terminal output and a client of a Python server',
  ],
];
