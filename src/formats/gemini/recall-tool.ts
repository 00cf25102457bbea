/** A tool as Gemini takes it in `tools: [{ functionDeclarations: [tool] }]`. */
export interface GeminiTool<Schema> {
  readonly name: string;
  readonly description: string;
  readonly parametersJsonSchema: Schema;
}

/** Declares the recall tool. @param schema JSON schema of its arguments */
export function geminiRecallTool<Schema>(name: string, description: string, schema: Schema): GeminiTool<Schema> {
  return { name, description, parametersJsonSchema: schema };
}
