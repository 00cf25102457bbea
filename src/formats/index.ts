export { aiSdk } from './ai-sdk/index.ts';
export { anthropic } from './anthropic/index.ts';
export { detectFormat, formatById, formats } from './detect.ts';
export { openaiChat } from './openai-chat/index.ts';
