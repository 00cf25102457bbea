/** The models that a judge grades, by name; null where none is used. */
export interface JudgedModels {
  /** Writes the summaries. */
  readonly compressor: string | null;
  /** Answers the questions. */
  readonly answerer: string | null;
}

/** A sentence for each model of the judge's own family: a judge is kinder to its kin. */
export function sameFamilyWarnings(judge: string, others: JudgedModels): readonly string[] {
  return Object.entries(others).flatMap(([role, model]) =>
    model !== null && modelFamily(model) === modelFamily(judge)
      ? [
          `the judge ${judge} and the ${role} ${model} are of one family (${modelFamily(judge)}): a judge is kinder to its own kind`,
        ]
      : [],
  );
}

/** Makers whose models judge their own kind too kindly. */
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

/** The family of a model by its name; the name itself when the family is not known. The name says more than the server before it. */
export function modelFamily(model: string): string {
  const name = model.slice(model.lastIndexOf('/') + 1);
  return (
    FAMILIES.find(([pattern]) => pattern.test(name))?.[1] ??
    FAMILIES.find(([pattern]) => pattern.test(model))?.[1] ??
    model
  );
}
