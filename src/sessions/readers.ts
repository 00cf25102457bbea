import { claudeCode } from './claude-code.ts';
import { codex } from './codex.ts';
import { copilotCli } from './copilot-cli.ts';
import { geminiCli } from './gemini-cli.ts';
import { hermes } from './hermes.ts';
import { miniSweAgent } from './mini-swe-agent.ts';
import { opencode } from './opencode.ts';
import { openhands } from './openhands.ts';
import { pi } from './pi.ts';
import type { SessionHead, SessionReader } from './reader.ts';
import { aiOpsLab, taggedText, tauBench } from './runs.ts';
import { sweAgent } from './swe-agent.ts';

/** Every reader of a log this package has. A new one adds a file and a line here. */
export const readers: readonly SessionReader[] = [
  claudeCode,
  codex,
  hermes,
  pi,
  opencode,
  geminiCli,
  sweAgent,
  miniSweAgent,
  openhands,
  copilotCli,
  tauBench,
  taggedText,
  aiOpsLab,
];

/** The reader that knows the log, the earlier one if two do; null when none does. */
export function detectReader(head: SessionHead): SessionReader | null {
  return readers.find((reader) => reader.detect(head)) ?? null;
}
