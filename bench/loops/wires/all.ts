import type { FormatId } from '../said.ts';
import { aiSdkWire } from './ai-sdk.ts';
import { anthropicWire } from './anthropic.ts';
import { geminiWire } from './gemini.ts';
import { langChainWire } from './langchain.ts';
import { openaiChatWire } from './openai-chat.ts';
import { openaiResponsesWire } from './openai-responses.ts';
import type { WireFormat } from './wire-format.ts';

export const wires: Readonly<Record<FormatId, WireFormat>> = {
  'openai-chat': openaiChatWire,
  anthropic: anthropicWire,
  'openai-responses': openaiResponsesWire,
  gemini: geminiWire,
  'ai-sdk': aiSdkWire,
  langchain: langChainWire,
};
