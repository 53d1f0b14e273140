import { csvLine } from '../reports/formats/csv-cell.ts';
import type { RecordLine, SearchedText } from '../store/browser.ts';

/** A row of a download: the line of the list, and the texts that were asked for. */
export interface DownloadedRow extends RecordLine {
  readonly reply?: string | null;
  readonly features?: Readonly<Record<string, unknown>> | null;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** The forms of a download: how it begins, and how it writes a row. */
export const RECORD_FILES = {
  csv: { type: 'text/csv; charset=utf-8', head: csvHead, row: csvRow },
  jsonl: {
    type: 'application/jsonl; charset=utf-8',
    head: () => '',
    row: (row: DownloadedRow) => `${JSON.stringify(row)}\n`,
  },
} as const;

interface DownloadColumns {
  /** Metadata keys with a column each. Default: none. */
  readonly column?: readonly string[] | undefined;
  /** Texts that each row has. Default: none. */
  readonly include?: readonly SearchedText[] | undefined;
}

const CELLS = [
  'id',
  'repeat',
  'case_kind',
  'decision_class',
  'must_act',
  'urgent',
  'outcome',
  'label',
  'prediction',
  'confidence',
  'should_abstain',
  'reasons',
  'stratum',
] as const;

function csvHead({ column = [], include = [] }: DownloadColumns): string {
  return csvLine([...CELLS, ...column.map((key) => `metadata.${key}`), ...include]);
}

/** No cell can become a formula: see `csvCell`. */
function csvRow(row: DownloadedRow, { column = [], include = [] }: DownloadColumns): string {
  return csvLine([
    ...CELLS.map((name) => row[name]),
    ...column.map((key) => row.metadata?.[key]),
    ...include.map((name) => row[name]),
  ]);
}
