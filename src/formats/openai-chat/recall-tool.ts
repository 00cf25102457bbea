/** A function tool as OpenAI Chat Completions takes it in `tools`. */
export interface ChatTool {
  readonly type: 'function';
  readonly function: {
    readonly name: string;
    readonly description: string;
    readonly parameters: Record<string, unknown>;
  };
}

/** Declares the recall tool. @param schema JSON schema of its arguments */
export function chatRecallTool(name: string, description: string, schema: object): ChatTool {
  return { type: 'function', function: { name, description, parameters: { ...schema } } };
}
