/**
 * Palimpsest keeps an LLM agent's prompt small as its conversation grows, without ever losing a turn.
 *
 * @packageDocumentation
 */

export type { Problem, ProblemKind, VerifyReport } from './coverage/problem.ts';
export type {
  CompactionRecord,
  Literal,
  RecordState,
  Strategy,
  Summary,
  SummaryFormat,
} from './coverage/record.ts';
export type { Span, Spans } from './coverage/span.ts';
export type { Count, LaneFacts, LiveRecord, RawEvent, View, ViewScope } from './coverage/view.ts';
export { type BoundedOptions, policy } from './engine/bounded-policy.ts';
export type { CompactionOutcome } from './engine/outcome.ts';
export { Palimpsest, type PalimpsestOptions } from './engine/palimpsest.ts';
export type { CheckedPolicy, Policy } from './engine/policy.ts';
export type { Preview, PreviewedWindow } from './engine/preview.ts';
export type { RecallOptions } from './engine/recall/recall.ts';
export { type RecallInputSchema, type RecallTool, recallTool } from './engine/recall/recall-tool.ts';
export type { RecallRequest } from './engine/recall/request.ts';
export type {
  CompactOptions,
  Keep,
  Prepared,
  PrepareOptions,
  Session,
  SlidingWindow,
  Turn,
} from './engine/session.ts';
export {
  CommitConflict,
  CompactionError,
  CompactionInputError,
  type CompactionInputField,
  type CompactionStage,
  ConfigError,
  type ConflictReason,
  ContextLimitError,
  ContextLimitUnknownError,
  type ErrorCode,
  EventConflict,
  ImportError,
  InvalidEventError,
  InvalidSummaryError,
  type Measurement,
  NotFoundError,
  PalimpsestError,
  RefusedError,
  StoreError,
  SUMMARY_REASONS,
  type SummaryReason,
  SummaryTooLargeError,
  type Uncoverable,
} from './event/errors.ts';
export type { Ask, DraftPart, EventDraft, Finish, Role, StoredEvent, Usage } from './event/event.ts';
export type {
  AttemptId,
  EventId,
  IdSource,
  InvocationId,
  LaneKey,
  RecordId,
  Seq,
  SessionKey,
} from './event/ids.ts';
export type { Invocation, InvocationState } from './event/invocation.ts';
export type { JsonObject, JsonValue } from './event/json.ts';
export { type Lane, laneKey, type Reader, ROOT_LANE, sees } from './event/lane.ts';
export type { LoggedEvent } from './event/logged-event.ts';
export type { Exchange, ExchangeId, ExchangeStanding, Obligation } from './event/obligation.ts';
export type * from './event/part.ts';
export type { Attempt, AttemptState, Measured } from './plan/attempt.ts';
export type {
  CheckedRetention,
  CheckedTrigger,
  RollUp,
  TailRetention,
  TailTrigger,
} from './plan/check-retention.ts';
export type { ContextLimit } from './plan/context-limit.ts';
export type { NothingReason } from './plan/plan.ts';
export type { PromptSignal } from './plan/signal.ts';
export type { Explanation, RawReason, Whereabouts } from './prompt/explanation.ts';
export type {
  Accounting,
  EventEntry,
  ParkedEntry,
  Prompt,
  PromptEntry,
  SummaryEntry,
} from './prompt/prompt.ts';
export type { Recalled } from './prompt/recalled/recollection.ts';
export type { Allowance, AllowancePeriod } from './store/allowance.ts';
export { MemoryStore, type MemoryStoreOptions } from './store/memory/memory-store.ts';
export type {
  AppendOptions,
  AttemptEnd,
  AttemptFilter,
  EventFacts,
  LaneInfo,
  LeaseOutcome,
  LeaseRequest,
  RecordDraft,
  SearchRequest,
  SearchResult,
  SessionInfo,
  SessionStore,
} from './store/session-store.ts';
export type { SpendFilter, SpendRow } from './store/spend.ts';
export { type ExtractiveOptions, extractiveSummarizer } from './summary/extractive/extractive-summarizer.ts';
export type { LiteralFate } from './summary/literals/literal-fates.ts';
export type { FoundLiteral, LiteralKind } from './summary/literals/literal-kind.ts';
export { llmSummarizer } from './summary/llm/llm-summarizer.ts';
export type { Envelope, LlmSummarizerOptions } from './summary/llm/options.ts';
export type { Spend } from './summary/spend.ts';
export type { Summarizer, SummarizerCall, SummaryRequest, SummaryResult } from './summary/summarizer.ts';
export { estimatingCounter } from './tokens/estimating-counter.ts';
export { exactCounter } from './tokens/exact-counter.ts';
export type { CounterQuality, TokenCounter } from './tokens/token-counter.ts';
