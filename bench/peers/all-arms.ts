import { aiSdkPrune } from './arms/ai-sdk.ts';
import { clineAgentic, clineBasic } from './arms/cline.ts';
import { codexStyle } from './arms/codex-style.ts';
import { geminiCli } from './arms/gemini-cli.ts';
import { langchainDefault, langchainExact, langchainLifted } from './arms/langchain.ts';
import { piAgentCore } from './arms/pi-agent-core.ts';
import { piCodingAgent } from './arms/pi-coding-agent.ts';
import { precis, precisModel } from './arms/precis.ts';
import { textOnly } from './arms/text-only.ts';
import { truncation } from './arms/truncation.ts';
import type { Arm } from './types.ts';

/** In the order of the report: ours, those without a model, those with one. */
export const ARMS: readonly Arm[] = [
  precis,
  truncation,
  textOnly,
  aiSdkPrune,
  clineBasic,
  precisModel,
  codexStyle,
  piCodingAgent,
  piAgentCore,
  clineAgentic,
  geminiCli,
  langchainDefault,
  langchainLifted,
  langchainExact,
];

export const OURS: ReadonlySet<string> = new Set([precis.id, precisModel.id]);

export function armById(id: string): Arm {
  const arm = ARMS.find((each) => each.id === id);
  if (arm === undefined) throw new Error(`expected one of ${ARMS.map((each) => each.id).join(', ')}, got \`${id}\``);
  return arm;
}
