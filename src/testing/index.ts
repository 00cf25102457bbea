/** `precis/testing`: laws that any implementation of a port can run in its own test runner, models that follow a script, and a conversation builder. */
export {
  type Builder,
  type BuildFormat,
  type BuiltContents,
  type BuiltInput,
  type BuiltRequest,
  build,
  type CallOptions,
  type ReasoningOptions,
  type ResultOptions,
  type WireObject,
} from './build/build.ts';
export { type CompactionCase, type CompactionLike, type CompactLike, compactionLaws } from './compaction-laws.ts';
export { formatLaws } from './format-laws.ts';
export type { AsyncLaw, Law } from './law.ts';
export { type ModelPlace, modelLaws, type ScriptHost } from './model-laws.ts';
export * as behave from './model-server/behaviours.ts';
export {
  type ModelServer,
  type ModelServerOptions,
  type RecordedRequest,
  startModelServer,
} from './model-server/model-server.ts';
export type {
  Behaviour,
  ErrorReply,
  Fault,
  OverflowWording,
  Pace,
  RawReply,
  Reply,
  Script,
  SeenRequest,
  ToolCallReply,
  WrittenReply,
} from './model-server/reply.ts';
export { type ScriptedModel, type ScriptedModelOptions, scriptedModel } from './scripted-model.ts';
export { storeLaws } from './store-laws.ts';
export { goodSummary } from './summaries/good-summary.ts';
