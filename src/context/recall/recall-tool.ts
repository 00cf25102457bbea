import type { SearchAnswer } from '../../core/search/answer.ts';
import type { Context } from '../context.ts';

export interface RecallArguments {
  readonly query: string;
  readonly offset?: number;
}

/** The name under which an agent calls it. */
export const RECALL_TOOL_NAME = 'recall';

const DESCRIPTION =
  'Looks up what was said or returned earlier in this conversation and is no longer shown in full. Ask in plain words, name files, values or errors you look for, or give a ref such as r:3f9a12c4d5e6f from the text, or a message number such as #12.';

/** JSON schema of the arguments. */
export interface RecallParameters {
  readonly type: 'object';
  readonly properties: {
    readonly query: { readonly type: 'string'; readonly description: string };
    readonly offset: { readonly type: 'integer'; readonly minimum: 0; readonly description: string };
  };
  readonly required: string[];
  readonly additionalProperties: false;
}

const PARAMETERS: RecallParameters = {
  type: 'object',
  properties: {
    query: { type: 'string', description: 'A question in plain words, a ref (r:…), or a message number (#12).' },
    offset: { type: 'integer', minimum: 0, description: 'Where to go on in a long original, as the last answer said.' },
  },
  required: ['query'],
  additionalProperties: false,
};

/** The tool as each provider wants it declared. */
export interface RecallTool {
  readonly openaiChat: {
    readonly type: 'function';
    readonly function: {
      readonly name: string;
      readonly description: string;
      readonly parameters: Record<string, unknown>;
    };
  };
  readonly openaiResponses: {
    readonly type: 'function';
    readonly name: string;
    readonly description: string;
    readonly parameters: Record<string, unknown>;
    readonly strict: false;
  };
  readonly anthropic: { readonly name: string; readonly description: string; readonly input_schema: RecallParameters };
  readonly gemini: {
    readonly name: string;
    readonly description: string;
    readonly parametersJsonSchema: RecallParameters;
  };
  /** A tool of the AI SDK with its executor, for `tools: { recall: recallTool.aiSdk(context) }`. */
  readonly aiSdk: (context: Pick<Context, 'recall'>) => AiSdkRecallTool;
}

export interface AiSdkRecallTool {
  readonly description: string;
  readonly inputSchema: StandardSchema;
  readonly execute: (input: RecallArguments) => Promise<string>;
}

/** Declare it before the session starts: another list of tools later costs the whole cache. */
export const recallTool: RecallTool = {
  openaiChat: {
    type: 'function',
    function: { name: RECALL_TOOL_NAME, description: DESCRIPTION, parameters: { ...PARAMETERS } },
  },
  openaiResponses: {
    type: 'function',
    name: RECALL_TOOL_NAME,
    description: DESCRIPTION,
    parameters: { ...PARAMETERS },
    strict: false,
  },
  anthropic: { name: RECALL_TOOL_NAME, description: DESCRIPTION, input_schema: PARAMETERS },
  gemini: { name: RECALL_TOOL_NAME, description: DESCRIPTION, parametersJsonSchema: PARAMETERS },
  aiSdk: (context) => ({
    description: DESCRIPTION,
    inputSchema: SCHEMA,
    execute: (input) => runRecall(context, input),
  }),
};

/** Carries out a call of the tool. Its arguments may be JSON text, as some providers send them. Never throws for what a model wrote. */
export async function runRecall(context: Pick<Context, 'recall'>, input: unknown): Promise<string> {
  const args = argumentsOf(input);
  if (args === null) return 'Expected {"query": "what to look for"}.';
  return recallText(await context.recall(args.query, args.offset === undefined ? {} : { offset: args.offset }));
}

/** What was recalled, as an agent reads it. */
export function recallText({ hits, note }: SearchAnswer): string {
  const passages = hits.map(({ message, role, tool, ref, text }) =>
    [`[#${message} ${tool ?? role}${ref === undefined ? '' : ` ${ref}`}]`, text].join('\n'),
  );
  return [...passages, ...(note === undefined ? [] : [note])].join('\n\n');
}

function argumentsOf(input: unknown): RecallArguments | null {
  const value = typeof input === 'string' ? parsed(input) : input;
  if (typeof value === 'string') return { query: value };
  if (typeof value !== 'object' || value === null) return null;
  const { query, offset } = value as { readonly query?: unknown; readonly offset?: unknown };
  if (typeof query !== 'string' || query.trim() === '') return null;
  return typeof offset === 'number' && offset > 0 ? { query, offset: Math.floor(offset) } : { query };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The parameters as a Standard Schema, which frameworks take without knowing whose it is. */
export interface StandardSchema {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (
      value: unknown,
    ) => { readonly value: RecallArguments } | { readonly issues: readonly { readonly message: string }[] };
    readonly jsonSchema: {
      readonly input: () => Record<string, unknown>;
      readonly output: () => Record<string, unknown>;
    };
    readonly types?: { readonly input: RecallArguments; readonly output: RecallArguments };
  };
}

const SCHEMA: StandardSchema = {
  '~standard': {
    version: 1,
    vendor: 'precis',
    validate: (value) => {
      const args = argumentsOf(value);
      return args === null ? { issues: [{ message: 'Expected an object with a query' }] } : { value: args };
    },
    jsonSchema: { input: () => ({ ...PARAMETERS }), output: () => ({ ...PARAMETERS }) },
  },
};
