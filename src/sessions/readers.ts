import { aiOpsLab, taggedText, tauBench } from './agents/benchmark-runs.ts';
import { claudeCode } from './agents/claude-code.ts';
import { codex } from './agents/codex.ts';
import { copilotCli } from './agents/copilot-cli.ts';
import { geminiCli } from './agents/gemini-cli.ts';
import { hermes } from './agents/hermes.ts';
import { miniSweAgent } from './agents/mini-swe-agent.ts';
import { opencode } from './agents/opencode.ts';
import { openhands } from './agents/openhands.ts';
import { pi } from './agents/pi.ts';
import { sweAgent } from './agents/swe-agent.ts';
import type { SessionHead, SessionReader } from './reader.ts';

/** Every reader of an agent's log. For a new one, add a file and a line here. */
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

/** The reader that recognises the log, the earlier one if two do; null when none does. */
export function detectReader(head: SessionHead): SessionReader | null {
  return readers.find((reader) => reader.detect(head)) ?? null;
}
