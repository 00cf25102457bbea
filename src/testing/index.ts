/** `precis/testing`: laws that any implementation of a port can run in its own test runner, and a builder of conversations. */
export {
  type Builder,
  type BuildFormat,
  type BuiltRequest,
  build,
  type CallOptions,
  type ReasoningOptions,
  type ResultOptions,
  type WireObject,
} from './build.ts';
export {
  type AsyncLaw,
  type CompactionCase,
  type CompactionLike,
  type CompactLike,
  compactionLaws,
} from './compaction-laws.ts';
export { formatLaws, type Law } from './format-laws.ts';
