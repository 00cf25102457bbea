/** The models that a judge grades, by name; null where there is none. */
export interface JudgedModels {
  /** Writes the summaries. */
  readonly compressor: string | null;
  /** Answers the questions. */
  readonly answerer: string | null;
}

/** Warns about each model of the judge's own family, because a judge favours its own family. */
export function sameFamilyWarnings(judge: string, others: JudgedModels): readonly string[] {
  return Object.entries(others).flatMap(([role, model]) =>
    model !== null && modelFamily(model) === modelFamily(judge)
      ? [
          `the judge ${judge} and the ${role} ${model} are of one family (${modelFamily(judge)}): a judge is kinder to its own kind`,
        ]
      : [],
  );
}

/** Families of models, by patterns of their names. */
const FAMILIES: readonly (readonly [RegExp, string])[] = [
  [/claude|anthropic/i, 'Claude'],
  [/\bgpt|\bo[1-9]\b|openai|codex/i, 'GPT'],
  [/gemini|gemma|google/i, 'Gemini'],
  [/llama/i, 'Llama'],
  [/qwen/i, 'Qwen'],
  [/deepseek/i, 'DeepSeek'],
  [/mistral|mixtral|magistral|devstral|codestral/i, 'Mistral'],
  [/grok/i, 'Grok'],
  [/kimi/i, 'Kimi'],
  [/glm/i, 'GLM'],
];

/** Returns the family of a model, or its name when the family is unknown. The model's own name takes precedence over the server before it. */
export function modelFamily(model: string): string {
  const name = model.slice(model.lastIndexOf('/') + 1);
  return (
    FAMILIES.find(([pattern]) => pattern.test(name))?.[1] ??
    FAMILIES.find(([pattern]) => pattern.test(model))?.[1] ??
    model
  );
}
