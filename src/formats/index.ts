export { anthropic } from './anthropic/index.ts';
export { detectFormat, formatById, formats } from './detect.ts';
export { gemini } from './gemini/index.ts';
export { openaiChat } from './openai-chat/index.ts';
export { openaiResponses } from './openai-responses/index.ts';
