import type { Model, Summarizer } from '../model.ts';
import { UNKNOWN_WINDOW } from '../tokens/window.ts';

/** The summariser with models whose sizes can be computed with. A model that does not state its window gets that of an unknown one. */
export function withSoundModels(summarizer: Summarizer): Summarizer {
  return {
    models: summarizer.models.map(soundModel),
    generate: (request) => summarizer.generate(request),
  };
}

function soundModel(model: Model): Model {
  // The host wrote it, so any field may be missing, and the model itself.
  const { id, contextWindow, maxOutput, prices }: Partial<Model> = model ?? {};
  return {
    ...model,
    id: typeof id === 'string' ? id : 'unknown',
    contextWindow: isSize(contextWindow) ? contextWindow : UNKNOWN_WINDOW,
    maxOutput: isSize(maxOutput) ? maxOutput : null,
    prices: prices ?? null,
  };
}

function isSize(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0;
}
