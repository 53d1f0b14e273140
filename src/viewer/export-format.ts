import type {
  ComparePayload,
  QuestionsPayload,
  RecordLine,
  RecordPayload,
  RunPayload,
  RunsPayload,
} from './api.ts';

/**
 * How a static export lies on disk. A page opened from disk may not fetch, so data are classic scripts, and each does one thing: `krisisData(name, value)`.
 *
 * `index.html` loads `data/site.js` before the app. That file defines `krisisData`, which puts values into the global `krisisExport` by name, and gives `site`. Where there is a global
 * `krisisExport`, the app is in an export: it gets anything else by adding `<script src=PATH>` (paths are relative to index.html), and when that has loaded, the value is
 * `krisisExport[PATH]`: a file's name is its path.
 */
export interface ExportedSite {
  readonly format: typeof EXPORT_FORMAT;
  readonly krisis_version: string;
  readonly exported_at: string;
  /** Whether texts of protected suites are in it. Where not, such texts are null. */
  readonly includes_text: boolean;
  readonly runs: RunsPayload;
  /** The file of every address of the API that was exported, other than those of records: `runs/ID`, `runs/ID/questions`, `compare?a=ID&b=ID` (ids encoded by encodeURIComponent). */
  readonly files: Readonly<Record<string, string>>;
  /** By run: those with records. */
  readonly records: Readonly<Record<string, ExportedRecords>>;
  /** What was left out, in sentences for the reader. */
  readonly notes: readonly string[];
}

/** Rows in the order of the file. Row i is in `lines[floor(i / lines_per_file)]` and its details in `details[floor(i / details_per_file)]`, each an array. */
export interface ExportedRecords {
  readonly n: number;
  readonly lines_per_file: number;
  readonly details_per_file: number;
  readonly lines: readonly string[];
  readonly details: readonly string[];
}

/** What a file holds, by its kind. */
export interface ExportedValues {
  readonly lines: readonly RecordLine[];
  readonly details: readonly RecordPayload[];
  readonly run: RunPayload;
  readonly questions: QuestionsPayload;
  /** The flips of the two runs are in it, by id: what the filter `flips` needs. */
  readonly compare: ComparePayload;
}

export const EXPORT_FORMAT = 'krisis-export-1';
