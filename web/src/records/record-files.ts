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

/** Rows for a spreadsheet as RFC 4180 has it, with the groups of the rows and the metadata that were asked for. */
export function csvOf(rows: readonly RecordLine[], metadata: readonly string[]): string {
  const groups = [...new Set(rows.flatMap((row) => Object.keys(row.groups)))].filter(
    (key) => !metadata.includes(key),
  );
  const lines = rows.map((row) => [
    ...FIELDS.map((field) => row[field]),
    ...groups.map((key) => row.groups[key]),
    ...metadata.map((key) => row.metadata?.[key]),
  ]);
  return [[...FIELDS, ...groups, ...metadata], ...lines]
    .map((cells) => `${cells.map(cellOf).join(',')}\r\n`)
    .join('');
}

export function jsonlOf(rows: readonly RecordLine[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('');
}

/** No cell can become a formula: text that would begin one gets an apostrophe. */
function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = Array.isArray(value)
    ? value.join('; ')
    : typeof value === 'string'
      ? value
      : JSON.stringify(value);
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
