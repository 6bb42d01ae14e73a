/** Summarizing: what a summarizer is shown, what it must give back, and the ones that come along. */
export {
  CompactionInputError,
  type CompactionInputField,
  InvalidSummaryError,
  SUMMARY_REASONS,
  type SummaryReason,
} from '../event/errors.ts';
export type { AskOptions, SummaryCost, SummaryFate } from './ask.ts';
export {
  type CallFailure,
  type CallOptions,
  type CallOutcome,
  callSummarizer,
  type SetTimer,
} from './call.ts';
export { type CompactionInput, compactionInput } from './contract/compaction-input.ts';
export {
  type CompactionOutput,
  compactionOutput,
  type SettledCompaction,
  type SummaryMessage,
  settledOutput,
} from './contract/compaction-output.ts';
export type { RequestIdentity } from './contract/identity.ts';
export type { TranscriptMessage, TranscriptPart, TranscriptResult } from './contract/messages.ts';
export {
  type FingerprintParts,
  type IdentityParts,
  requestFingerprint,
  requestIdentity,
} from './contract/request-fingerprint.ts';
export { toMessages } from './contract/to-messages.ts';
export { type ExtractiveOptions, extractiveSummarizer } from './extractive/extractive-summarizer.ts';
export {
  type AcceptedSummary,
  DEFAULT_MAX_SUMMARY_BYTES,
  type DeclinedSummary,
  type GateLimits,
  judgeResult,
  requireSmaller,
} from './gate.ts';
export {
  checkSections,
  type GrammarReason,
  SECTION_NAMES,
  type SectionName,
  type SectionsVerdict,
  type SummarySection,
} from './grammar/check-sections.ts';
export { chooseLiterals } from './literals/choose-literals.ts';
export { extractLiterals } from './literals/extract-literals.ts';
export { isKept } from './literals/is-kept.ts';
export { type LiteralFate, literalFates } from './literals/literal-fates.ts';
export type { FoundLiteral, LiteralKind } from './literals/literal-kind.ts';
export type { AiSdkModel } from './llm/ai-sdk-model.ts';
export { type CallSettings, PROVIDER_OPTIONS } from './llm/call-settings.ts';
export { llmSummarizer } from './llm/llm-summarizer.ts';
export { modelFromSpec } from './llm/model-from-spec.ts';
export type { Envelope, LlmSummarizerOptions } from './llm/options.ts';
export { SUMMARY_INSTRUCTIONS, SUMMARY_PROMPT_REVISION, WIRE_INSTRUCTIONS } from './llm/summary-prompt.ts';
export type { DeclineReason } from './read-result.ts';
export { sourceEvents } from './snapshot.ts';
export type { Spend } from './spend.ts';
export { MIN_TRANSCRIPT_CODE_POINTS, type SplitOptions, splitShown } from './split.ts';
export { type SummarizeWindowOptions, summarizeWindow } from './summarize-window.ts';
export type {
  GivenSummary,
  Piece,
  PreviousSummary,
  SourceEvent,
  Summarizer,
  SummarizerCall,
  SummaryRequest,
  SummaryResult,
} from './summarizer.ts';
export { renderTranscript, type Shown, type TranscriptOptions } from './transcript.ts';
export { DEFAULT_CAPS, MIN_CAP, type TranscriptCaps, transcriptCaps } from './transcript-caps.ts';
export { readAnswer } from './wire/read-answer.ts';
export { type WireOptions, type WireRequest, writeRequest } from './wire/write-request.ts';
