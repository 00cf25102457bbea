/** A function tool as OpenAI Responses takes it in `tools`. */
export interface ResponsesTool {
  readonly type: 'function';
  readonly name: string;
  readonly description: string;
  readonly parameters: Record<string, unknown>;
  /** Strict tools may have no optional arguments. */
  readonly strict: false;
}

/** Declares the recall tool. @param schema JSON schema of its arguments */
export function responsesRecallTool(name: string, description: string, schema: object): ResponsesTool {
  return { type: 'function', name, description, parameters: { ...schema }, strict: false };
}
