import { aiSdkBridge } from '../ai-sdk/bridge.ts';
import { anthropicBridge } from '../anthropic/bridge.ts';
import { geminiBridge } from '../gemini/bridge.ts';
import { langChainBridge } from '../langchain/bridge.ts';
import { chatBridge } from '../openai-chat/bridge.ts';
import { responsesBridge } from '../openai-responses/bridge.ts';
import type { Bridge } from './plain.ts';

/** Every format that conversions know. For a new one, add `bridge.ts` to its folder and a line here. */
export const bridges: readonly Bridge[] = [
  chatBridge,
  anthropicBridge,
  responsesBridge,
  geminiBridge,
  aiSdkBridge,
  langChainBridge,
];
