import type { RunsPayload } from './api.ts';

/**
 * How a static export is laid out. A page opened from disk cannot fetch, so data are classic scripts, each with one call: `krisisData(name, value)`.
 *
 * `index.html` loads `data/site.js` before the app. That file defines `krisisData`, which puts values into the global `krisisExport` by name, and the value `site`. If there is a global
 * `krisisExport`, the app runs in an export: it loads other data by adding `<script src=PATH>` (paths are relative to index.html) and then reads `krisisExport[PATH]`: a file's name is its path.
 */
export interface ExportedSite {
  readonly format: typeof EXPORT_FORMAT;
  readonly krisis_version: string;
  readonly exported_at: string;
  /** Whether the text of protected suites is included. If not, such text is null. */
  readonly includes_text: boolean;
  readonly runs: RunsPayload;
  /** The file of every exported address but those of records, by `buildAddress`: `runs/ID`, `runs/ID/questions`, `compare?runs=ID&runs=ID`. */
  readonly files: Readonly<Record<string, string>>;
  /** By run: those with records. */
  readonly records: Readonly<Record<string, ExportedRecords>>;
  /** What was left out, in sentences for the reader. */
  readonly notes: readonly string[];
}

/** Rows in file order. Row i is in `lines[floor(i / lines_per_file)]` (an array of `RecordLine`) and its details in `details[floor(i / details_per_file)]` (an array of `RecordPayload`). */
export interface ExportedRecords {
  readonly n: number;
  readonly lines_per_file: number;
  readonly details_per_file: number;
  readonly lines: readonly string[];
  readonly details: readonly string[];
}

export const EXPORT_FORMAT = 'krisis-export-1';
