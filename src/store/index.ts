export { type FailedRow, placeKey, type RowPlace } from './asking-rounds.ts';
export type { BulkItemEntry, BulkJob, BulkLedger } from './bulk-ledger.ts';
export { exportBundle, importBundle } from './bundle.ts';
export {
  type CallFailure,
  type CallIntent,
  type CallMode,
  type CallOutcome,
  type CallSettings,
  type CostBasis,
  isVersionOf,
} from './call.ts';
export type { CallTotals } from './call-sums.ts';
export { checkRunFiles, fileIdentity, nextFreePath } from './file-names.ts';
export { findRun, lastRuns } from './find-run.ts';
export {
  bucketsJudge,
  CALLABLE_JUDGE,
  callsOf,
  claimsJudge,
  type Judgement,
  type JudgementPlace,
} from './judgements.ts';
export { keyFingerprint, readPublicKey, readSigningKey, type SealKey } from './keys.ts';
export {
  encodeListLine,
  type ListedRun,
  type ListLine,
  listRuns,
  RUNS_FOLDER,
  readListLine,
  runNames,
} from './list-runs.ts';
export { queryRun, type RunDatabase } from './open-database.ts';
export { isOwn, PRIVATE_FOLDER_MODE, PRIVATE_MODE } from './private-file.ts';
export { needsKeptText, protectedMetadata, textNotKept } from './protected-data.ts';
export {
  existingWaits,
  openProviderWaits,
  PROCESS_WAITS,
  type ProviderWaits,
  WAITS_FILE,
} from './provider-waits.ts';
export { pageOfRecords, recordsAt } from './queries/page-of-records.ts';
export { queryFacets, queryRecords } from './queries/query-records.ts';
export {
  allRecordDetails,
  MAX_CUT,
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
export { type RecordLine, SubgroupValues } from './queries/record-line.ts';
export { costOfCalls, countRows, liveCalls, type RowCounts, secondsOfCalls } from './queries/run-counts.ts';
export { metadataKeys, metadataOf, rowsWithText, searchableTexts } from './queries/search-texts.ts';
export type { FailedCalls, StoredFailures } from './queries/stored-failures.ts';
export { filesOfRun, removeRun } from './remove-run.ts';
export { CACHE_FILE, clearCache, ResponseCache } from './response-cache.ts';
export type { NewRow } from './rows.ts';
export { MAX_REPEATS, type Run, type RunUpdate } from './run.ts';
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
export { type MergedPart, type SealOptions, scoresHash } from './seal.ts';
export { removeAbandoned, type Staging, stageBeside } from './staging.ts';
export { LABELLED_ROW_KEYS, type Row, SCHEMA_VERSION } from './tables.ts';
export { userFile, userFolder } from './user-folder.ts';
export {
  type RunVerification,
  type VerificationProblem,
  type VerifiedSeal,
  type VerifyOptions,
  verifyRun,
} from './verify-run.ts';
export { WriterLock } from './writer-lock.ts';
