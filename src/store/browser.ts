/** The part of this room that runs in a browser too. */

export type { RecordDetails } from './queries/record-details.ts';
export {
  countFacets,
  type FacetCounts,
  filterRecords,
  flipsOfFilter,
  labelTextKey,
  parseSort,
  type RecordFilter,
  SEARCHED_TEXTS,
  type SearchedText,
  SORT_KEYS,
} from './queries/record-filter.ts';
export type { RecordLine } from './queries/record-line.ts';
export type { LiveCalls, RowCounts } from './queries/run-counts.ts';
export type { NotesChange, RunNotes } from './run-notes.ts';
export type { RunVerification } from './verify-run.ts';
