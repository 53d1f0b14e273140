import { csvLine } from '../../../src/viewer/browser.ts';
import type { RecordLine } from '../api.ts';

const FIELDS = [
  'id',
  'repeat',
  'outcome',
  'label',
  'prediction',
  'confidence',
  'should_abstain',
  'reasons',
  'stratum',
] as const;

/** Rows for a spreadsheet as RFC 4180 has it, with the groups of the rows and the metadata that were asked for. No cell can become a formula. */
export function csvOf(rows: readonly RecordLine[], metadata: readonly string[]): string {
  const groups = [...new Set(rows.flatMap((row) => Object.keys(row.groups)))].filter(
    (key) => !metadata.includes(key),
  );
  const lines = rows.map((row) => [
    ...FIELDS.map((field) => row[field]),
    ...groups.map((key) => row.groups[key]),
    ...metadata.map((key) => row.metadata?.[key]),
  ]);
  return [[...FIELDS, ...groups, ...metadata], ...lines].map(csvLine).join('');
}

export function jsonlOf(rows: readonly RecordLine[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('');
}
