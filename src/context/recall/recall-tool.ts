import type { SearchAnswer } from '../../core/search/answer.ts';
import { type AiSdkTool, aiSdkRecallTool } from '../../formats/ai-sdk/recall-tool.ts';
import { type AnthropicTool, anthropicRecallTool } from '../../formats/anthropic/recall-tool.ts';
import { type GeminiTool, geminiRecallTool } from '../../formats/gemini/recall-tool.ts';
import { type ChatTool, chatRecallTool } from '../../formats/openai-chat/recall-tool.ts';
import { type ResponsesTool, responsesRecallTool } from '../../formats/openai-responses/recall-tool.ts';
import type { Context } from '../context.ts';
import { RECALL_SCHEMA, type RecallArguments, type RecallSchema, readRecallArguments } from './recall-arguments.ts';

/** The recall tool as each provider wants it declared. */
export interface RecallTool {
  /** For `tools` of OpenAI Chat Completions. */
  readonly openaiChat: ChatTool;
  /** For `tools` of OpenAI Responses. */
  readonly openaiResponses: ResponsesTool;
  /** For `tools` of Anthropic Messages. */
  readonly anthropic: AnthropicTool<RecallSchema>;
  /** For `functionDeclarations` of Gemini. */
  readonly gemini: GeminiTool<RecallSchema>;
  /** For `tools: { recall: recallTool.aiSdk(context) }` of the AI SDK, with its executor. */
  readonly aiSdk: (context: Pick<Context, 'recall'>) => AiSdkRecallTool;
}

/** The recall tool as the AI SDK takes it. */
export type AiSdkRecallTool = AiSdkTool<RecallArguments>;

const NAME = 'recall';

const DESCRIPTION =
  'Looks up what was said or returned earlier in this conversation and is no longer shown in full. Ask in plain words, name files, values or errors you look for, or give a ref such as r:3f9a12c4d5e6f from the text, or a message number such as #12.';

/**
 * The tool that an agent calls to look up content that left its view. Declare it before the session starts, because a later change of the tools
 * invalidates the whole cache.
 */
export const recallTool: RecallTool = {
  openaiChat: chatRecallTool(NAME, DESCRIPTION, RECALL_SCHEMA),
  openaiResponses: responsesRecallTool(NAME, DESCRIPTION, RECALL_SCHEMA),
  anthropic: anthropicRecallTool(NAME, DESCRIPTION, RECALL_SCHEMA),
  gemini: geminiRecallTool(NAME, DESCRIPTION, RECALL_SCHEMA),
  aiSdk: (context) =>
    aiSdkRecallTool({
      description: DESCRIPTION,
      schema: RECALL_SCHEMA,
      readArguments: readRecallArguments,
      execute: (input) => runRecall(context, input),
    }),
};

/** Runs a call of the tool. Its arguments may be JSON text, as some providers send them. Never throws for arguments that a model wrote. */
export async function runRecall(context: Pick<Context, 'recall'>, input: unknown): Promise<string> {
  const args = readRecallArguments(input);
  if (args === null) return 'Expected {"query": "what to look for"}.';
  return recallText(await context.recall(args.query, args.offset === undefined ? {} : { offset: args.offset }));
}

/** Writes the answer of a recall as text for the agent. */
export function recallText({ hits, note }: SearchAnswer): string {
  const passages = hits.map(({ message, role, tool, ref, text }) =>
    [`[#${message} ${tool ?? role}${ref === undefined ? '' : ` ${ref}`}]`, text].join('\n'),
  );
  return [...passages, ...(note === undefined ? [] : [note])].join('\n\n');
}
