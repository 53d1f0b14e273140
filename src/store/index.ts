export type { BulkItemEntry, BulkJob, BulkLedger } from './bulk-ledger.ts';
export { exportBundle, importBundle } from './bundle.ts';
export { type FailedRow, placeKey, type RowPlace } from './failed-row.ts';
export { findRun, RUNS_FOLDER, runNames } from './find-run.ts';
export {
  type CallFailure,
  type CallIntent,
  type CallMode,
  type CallOutcome,
  type CallSettings,
  type CallTotals,
  type CostBasis,
  emptyRow,
  type JournalRow,
  type RowTrace,
} from './journal.ts';
export { bucketsJudge, CALLABLE_JUDGE, callsOf, claimsJudge } from './judgement-names.ts';
export { protectedMetadata } from './kept-metadata.ts';
export { needsKeptText, textNotKept } from './kept-text.ts';
export { lastRuns } from './last-runs.ts';
export { listRuns } from './list-runs.ts';
export { MAX_REPEATS, type Manifest, type ManifestUpdate } from './manifest.ts';
export { isVersionOf } from './model-version.ts';
export { nextFreePath } from './next-free-path.ts';
export { isOwn, PRIVATE_FOLDER_MODE, PRIVATE_MODE } from './private-file.ts';
export {
  existingWaits,
  openProviderWaits,
  PROCESS_WAITS,
  type ProviderWaits,
  WAITS_FILE,
} from './provider-waits.ts';
export { pageOfRecords, recordsAt } from './queries/page-of-records.ts';
export { queryFacets } from './queries/query-facets.ts';
export { queryRecords } from './queries/query-records.ts';
export { queryRun, type RunDatabase } from './queries/query-run.ts';
export {
  allRecordDetails,
  LONGEST_CUT,
  promptFeatures,
  type RecordDetails,
  recordDetails,
  recordTexts,
} from './queries/record-details.ts';
export {
  compareTexts,
  DEFAULT_LIMIT,
  flipsOfFilter,
  labelTextKey,
  type RecordFilter,
  type SearchedText,
} from './queries/record-filter.ts';
export { indexRecords, type RecordIndex } from './queries/record-index.ts';
export type { LineRow, RecordLine } from './queries/record-line.ts';
export { costOfCalls, countRows, liveCalls, type RowCounts, secondsOfCalls } from './queries/run-counts.ts';
export { metadataKeys, metadataOf, rowsWithText, searchableTexts } from './queries/search-texts.ts';
export type { FailedCalls, StoredFailures } from './queries/stored-failures.ts';
export { SubgroupValues } from './queries/subgroup-values.ts';
export { filesOfRun, removeRun } from './remove-run.ts';
export { CACHE_FILE, clearCache, ResponseCache } from './response-cache.ts';
export type { MergedPart, SealOptions } from './run-event.ts';
export { type Journal, RunFile } from './run-file.ts';
export { countLooks } from './run-looks.ts';
export {
  changeNotes,
  type NotesChange,
  notesPath,
  type RunNotes,
  readNotes,
  tryNotes,
} from './run-notes.ts';
export { SCHEMA_VERSION } from './schema.ts';
export { keyFingerprint, readPublicKey, readSigningKey, type SealKey, scoresHash } from './seal.ts';
export { removeAbandoned, type Staging, stageBeside } from './staging.ts';
export type { JudgementPlace, StoredJudgement } from './stored-judgements.ts';
export type { StoredRow } from './stored-row.ts';
export { userFile, userFolder } from './user-folder.ts';
export {
  type RunVerification,
  type VerificationProblem,
  type VerifiedSeal,
  type VerifyOptions,
  verifyRun,
} from './verify-run.ts';
export { WriterLock } from './writer-lock.ts';
