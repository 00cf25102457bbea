export { aiSdk } from './ai-sdk/index.ts';
export { anthropic } from './anthropic/index.ts';
export { type Converted, convert, type Loss } from './convert/convert.ts';
export { detectFormat, formatById, formats } from './detect.ts';
export { gemini } from './gemini/index.ts';
export { langChain } from './langchain/index.ts';
export { openaiChat } from './openai-chat/index.ts';
export { openaiResponses } from './openai-responses/index.ts';
export {
  encodeStrictly,
  type StrictlyEncoded,
  type StrictNote,
  type StrictOptions,
} from './strict/encode-strictly.ts';
