/** `precis`: the engine and the wire formats. Loads no tokenizer, no store and no command line. */

// The living context
export { openContext } from './context/open.ts';
// Compaction
export { type Compaction, compact } from './core/compact.ts';
export type {
  CompactNowOptions,
  Context,
  Prepared,
  PrepareOptions,
} from './core/context/context.ts';
export { type ContextDiff, type DroppedMessage, diffText } from './core/context/diff.ts';
export type { ContextEvents, EventName, Listener } from './core/context/events.ts';
export type { Fallback } from './core/context/fallback.ts';
export type { TrimOptions } from './core/context/insertion.ts';
export type { ContextMetrics, Spread } from './core/context/metrics.ts';
export { type ContextOptions, type ContextPolicy, LEAN } from './core/context/options.ts';
export type { RecallOptions } from './core/context/recall.ts';
export {
  type AiSdkRecallTool,
  type RecallArguments,
  type RecallTool,
  recallText,
  recallTool,
  runRecall,
} from './core/context/recall-tool.ts';
export type { Appended } from './core/context/speech.ts';
export type { ViewEvent, ViewItem } from './core/context/timeline.ts';
// Conversations
export { append, type Conversation, historyOf } from './core/conversation/conversation.ts';
export type { SoundnessIssue } from './core/conversation/issue.ts';
export type {
  FilePart,
  ImagePart,
  Message,
  OpaquePart,
  Part,
  ReasoningPart,
  Role,
  TextPart,
  ToolCallPart,
  ToolResultPart,
} from './core/conversation/message.ts';
export { resultTextOf, textOf } from './core/conversation/message.ts';
export { findOriginal, type Original, type Ref, refsIn } from './core/conversation/ref.ts';
export { checkSound, type SoundConversation, type SoundnessCheck } from './core/conversation/sound.ts';
export { PrecisError, type PrecisErrorCode } from './core/errors.ts';
export type { Decoded, DecodeNote, Format } from './core/format.ts';
export { isHandoff, ledgerOf } from './core/handoff/record.ts';
// Facts
export type { Fact, FactKind, FactStatus } from './core/ledger/fact.ts';
export type { Ledger } from './core/ledger/ledger.ts';
export { memoryStore } from './core/memory-store.ts';
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
} from './core/policy/plan.ts';
export type { Edit, Outcome, Receipt } from './core/receipt.ts';
export { type Redaction, redact, redactText } from './core/redact/redact.ts';
// Tokens and windows
export type { Hit, SearchAnswer } from './core/search/answer.ts';
export type {
  Access,
  Batch,
  Candidate,
  ContextInfo,
  IndexedChunk,
  Piece,
  Store,
  StoredContext,
  StoredEvent,
  StoredMessage,
  StoredState,
} from './core/store.ts';
export { heuristicCounter, type TokenCounter } from './core/tokens/counter.ts';
export { createMeasure, type Measure } from './core/tokens/measure.ts';
export { type Limits, type LimitsInput, limitsFor, type ModelWindow } from './core/tokens/window.ts';
export {
  aiSdk,
  anthropic,
  type Converted,
  convert,
  detectFormat,
  formatById,
  formats,
  gemini,
  type Loss,
  langChain,
  openaiChat,
  openaiResponses,
} from './formats/index.ts';
