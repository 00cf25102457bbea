/** `precis`: the engine and the wire formats. Loads no tokenizer, no store and no command line. */

// Compaction
export { compact } from './context/compact-in-time.ts';
// The living context
export type { CompactNowOptions, PrepareOptions } from './context/compaction/compact-options.ts';
export type { HoldCause } from './context/compaction/hold-cause.ts';
export type { Context } from './context/context.ts';
export type { ContextEvents, EventName, Listener } from './context/events.ts';
export type { Fallback } from './context/methods/fallback.ts';
export type { Prepared } from './context/methods/prepared.ts';
export type { ContextMetrics, Spread } from './context/metrics.ts';
export { openContext } from './context/open.ts';
export { type ContextOptions, type ContextPolicy, LEAN } from './context/options.ts';
export type { RecallOptions } from './context/recall/recall.ts';
export type { RecallArguments } from './context/recall/recall-arguments.ts';
export {
  type AiSdkRecallTool,
  type RecallTool,
  recallText,
  recallTool,
  runRecall,
} from './context/recall/recall-tool.ts';
export { memoryStore } from './context/store/memory-store.ts';
export type {
  Access,
  Batch,
  ContextInfo,
  Piece,
  Store,
  StoredContext,
  StoredEvent,
  StoredMessage,
  StoredState,
} from './context/store/store.ts';
export { type ContextDiff, type DroppedMessage, diffText } from './context/timeline/diff.ts';
export type { ViewEvent, ViewItem } from './context/timeline/event.ts';
export type { Appended } from './context/wire/incoming.ts';
export type { AppendOptions } from './context/wire/speakers.ts';
export type { Compaction } from './core/compact.ts';
// Conversations
export { append, type Conversation, historyOf } from './core/conversation/conversation.ts';
export type { SoundnessIssue } from './core/conversation/issue.ts';
export type {
  FilePart,
  HostedCall,
  ImagePart,
  Message,
  OpaquePart,
  Part,
  PictureSize,
  ReasoningPart,
  Role,
  TextPart,
  ToolCallPart,
  ToolResultPart,
} from './core/conversation/message.ts';
export { resultTextOf, textOf } from './core/conversation/message.ts';
export { findOriginal, type Original, type Ref, refsIn } from './core/conversation/ref.ts';
export { checkSound, type SoundConversation, type SoundnessCheck } from './core/conversation/sound.ts';
export type { Speaker } from './core/conversation/speakers/speaker.ts';
export type { Surroundings } from './core/conversation/surroundings.ts';
export { PrecisError, type PrecisErrorCode } from './core/errors.ts';
// Facts
export type { Fact, FactKind, FactStatus } from './core/facts/fact.ts';
export type { Decoded, DecodeNote, Format } from './core/format.ts';
// Models
export {
  type FailureKind,
  type FinishReason,
  type Model,
  type ModelCall,
  type ModelFailure,
  type ModelOutcome,
  type ModelRequest,
  type Summarizer,
  singleSummarizer,
} from './core/model.ts';
export type { CompactOptions } from './core/options.ts';
export {
  type CompactPlan,
  type Forecast,
  type Plan,
  type PlanInput,
  plan,
  type RefusalReason,
} from './core/plan/plan.ts';
export type { Edit, Outcome, Receipt } from './core/receipt/receipt.ts';
export { isHandoff } from './core/record/handoff/handoff-message.ts';
export { type Redaction, redact, redactText } from './core/redact/redact.ts';
export type { TrimOptions } from './core/reduce/insertion.ts';
// Tokens and windows
export type { Hit, SearchAnswer } from './core/search/answer.ts';
export type { Candidate, IndexedChunk } from './core/search/search-index.ts';
export type { Account } from './core/tokens/account.ts';
export { heuristicCounter, type TokenCounter } from './core/tokens/counter.ts';
export { createMeasure, type Measure } from './core/tokens/measure.ts';
export { type Limits, type LimitsInput, limitsFor, type ModelWindow } from './core/tokens/window.ts';
export type { Ledger } from './core/worth/judge-facts.ts';
export { ledgerOf } from './core/worth/judge-facts.ts';
export {
  aiSdk,
  anthropic,
  type Converted,
  convert,
  detectFormat,
  encodeStrictly,
  formatById,
  formats,
  gemini,
  type Loss,
  langChain,
  openaiChat,
  openaiResponses,
  type StrictlyEncoded,
  type StrictNote,
  type StrictOptions,
} from './formats/index.ts';
