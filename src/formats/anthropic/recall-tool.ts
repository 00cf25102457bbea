/** A tool as Anthropic Messages takes it in `tools`. */
export interface AnthropicTool<Schema> {
  readonly name: string;
  readonly description: string;
  readonly input_schema: Schema;
}

/** Declares the recall tool. @param schema JSON schema of its arguments */
export function anthropicRecallTool<Schema>(name: string, description: string, schema: Schema): AnthropicTool<Schema> {
  return { name, description, input_schema: schema };
}
