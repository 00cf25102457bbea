import type { Format } from '../core/format.ts';
import { aiSdk } from './ai-sdk/index.ts';
import { anthropic } from './anthropic/index.ts';
import { gemini } from './gemini/index.ts';
import { langChain } from './langchain/index.ts';
import { openaiChat } from './openai-chat/index.ts';
import { openaiResponses } from './openai-responses/index.ts';

/** Every format this package reads and writes. For a new one, add a folder and a line here. */
export const formats: readonly Format[] = [openaiChat, anthropic, openaiResponses, gemini, aiSdk, langChain];

/** The format that is surest of the value, the earlier one on a tie; null when no format recognises it. */
export function detectFormat(wire: unknown): Format | null {
  let best: Format | null = null;
  let bestScore = 0;
  for (const format of formats) {
    const score = format.detect(wire);
    if (score <= bestScore) continue;
    best = format;
    bestScore = score;
  }
  return best;
}

/** The format with this id, e.g. `openai-chat`; null for an unknown id. */
export function formatById(id: string): Format | null {
  return formats.find((format) => format.id === id) ?? null;
}
