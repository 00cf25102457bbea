/** A tool of the AI SDK with its executor, for `tools: { name: tool }`. */
export interface AiSdkTool<Arguments> {
  /** Tells the model when to call it. */
  readonly description: string;
  /** Checks the arguments that the model wrote, and describes them to it. */
  readonly inputSchema: StandardSchema<Arguments>;
  /** Carries out a call. Gives the text that the model reads. */
  readonly execute: (input: Arguments) => Promise<string>;
}

/** A Standard Schema, which frameworks take without knowing which library made it. */
export interface StandardSchema<Value> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (
      value: unknown,
    ) => { readonly value: Value } | { readonly issues: readonly { readonly message: string }[] };
    readonly jsonSchema: {
      readonly input: () => Record<string, unknown>;
      readonly output: () => Record<string, unknown>;
    };
    readonly types?: { readonly input: Value; readonly output: Value };
  };
}

export interface AiSdkToolInput<Arguments> extends Omit<AiSdkTool<Arguments>, 'inputSchema'> {
  /** JSON schema of the arguments. */
  readonly schema: object;
  /** Null for anything that cannot be read as arguments. */
  readonly readArguments: (value: unknown) => Arguments | null;
}

/** Declares the recall tool. */
export function aiSdkRecallTool<Arguments>(input: AiSdkToolInput<Arguments>): AiSdkTool<Arguments> {
  const { description, schema, readArguments, execute } = input;
  const jsonSchema = (): Record<string, unknown> => ({ ...schema });
  const validate = (value: unknown): ReturnType<StandardSchema<Arguments>['~standard']['validate']> => {
    const read = readArguments(value);
    return read === null ? { issues: [{ message: 'Expected an object with a query' }] } : { value: read };
  };
  return {
    description,
    inputSchema: {
      '~standard': {
        version: 1,
        vendor: 'precis',
        validate,
        jsonSchema: { input: jsonSchema, output: jsonSchema },
      },
    },
    execute,
  };
}
