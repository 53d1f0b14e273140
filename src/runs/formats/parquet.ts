import { type BasicType, type ColumnSource, parquetWriteBuffer } from 'hyparquet-writer';
import type { Comparison } from '../../analyses/comparison/comparison.ts';
import { cellText } from '../../reports/formats/csv-cell.ts';
import type { RunResult } from '../run-result.ts';
import { type Cells, rowCells } from './csv.ts';
import { comparisonLines, METRIC_COLUMNS, type MetricLine, metricLines } from './metrics-csv.ts';

/** The rows as Parquet: the columns of the CSV, with types, and nothing before text that looks like a formula. */
export function rowsParquet(report: RunResult): Uint8Array {
  const { columns, lines } = rowCells(report);
  const table = [...lines];
  return parquet(columns.map((name) => typedColumn(name, table)));
}

/** The metrics as Parquet: the lines of the CSV. */
export function metricsParquet(report: RunResult): Uint8Array {
  return metricTable(metricLines(report));
}

/** A comparison as Parquet: the lines of the CSV. */
export function comparisonParquet(comparison: Comparison): Uint8Array {
  return metricTable(comparisonLines(comparison));
}

const TYPES = { text: 'STRING', number: 'DOUBLE', count: 'INT32' } as const satisfies Record<
  string,
  BasicType
>;

/** Columns that are the same whatever the lines hold, so that tables of several runs can be joined. */
function metricTable(lines: readonly MetricLine[]): Uint8Array {
  return parquet(
    Object.entries(METRIC_COLUMNS).map(([name, kind]) => {
      const data = lines.map((line) => line[name as keyof MetricLine] ?? null);
      const type = TYPES[kind];
      return { name, type, data: type === 'STRING' ? data.map(asText) : data };
    }),
  );
}

/** A column of the type that all its values have: flags, numbers, or else text. */
function typedColumn(name: string, lines: readonly Cells[]): ColumnSource {
  const values = lines.map((line) => line[name] ?? null);
  const are = (type: string) => values.every((value) => value === null || typeof value === type);
  if (values.every((value) => value === null)) return { name, type: 'STRING', data: values };
  if (are('boolean')) return { name, type: 'BOOLEAN', data: values };
  if (are('number')) return { name, type: 'DOUBLE', data: values };
  return { name, type: 'STRING', data: values.map(asText) };
}

function asText(value: unknown): string | null {
  return value === null ? null : cellText(value);
}

function parquet(columnData: ColumnSource[]): Uint8Array {
  return new Uint8Array(parquetWriteBuffer({ columnData, createdBy: 'krisis' }));
}
