import type { FormatId } from '../said.ts';
import { aiSdkChecker } from './ai-sdk.ts';
import { anthropicChecker } from './anthropic.ts';
import type { Checker, CheckerOptions } from './checker.ts';
import { geminiChecker } from './gemini.ts';
import { langChainChecker } from './langchain.ts';
import { openaiChatChecker } from './openai-chat.ts';
import { openaiResponsesChecker } from './openai-responses.ts';

export const checkers: Readonly<Record<FormatId, (options: CheckerOptions) => Checker>> = {
  'openai-chat': openaiChatChecker,
  anthropic: anthropicChecker,
  'openai-responses': openaiResponsesChecker,
  gemini: geminiChecker,
  'ai-sdk': aiSdkChecker,
  langchain: langChainChecker,
};
