/** A sentence for each model that the judge is kin to. */
export function kinshipWarnings(
  judge: string,
  others: { readonly compressor: string | null; readonly answerer: string | null },
): readonly string[] {
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
