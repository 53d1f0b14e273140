import { KrisisError, ledgerClass } from '../core/index.ts';
import type { BenchmarkRow, RunReport } from '../results/index.ts';
import { stratumOf } from '../suites/domains/index.ts';

type Column = readonly [title: string, cell: (row: BenchmarkRow) => unknown];

const columnsFor = (stratum: string): readonly Column[] => [
  ['id', ({ id }) => id],
  ['repeat', ({ repeat }) => repeat],
  ['ground_truth', ({ groundTruth }) => groundTruth],
  ['prediction', ({ prediction }) => prediction],
  ['state', ({ state }) => state],
  ['state_reason', ({ stateReason }) => stateReason],
  ['abstained', ({ abstained }) => abstained],
  ['confidence', ({ confidence }) => confidence],
  ['confidence_source', ({ confidenceSource }) => confidenceSource],
  ['should_abstain', ({ metadata }) => metadata.should_abstain],
  ['should_abstain_reasons', ({ metadata }) => metadata.should_abstain_reasons ?? metadata.deferral_reason],
  ['must_act', ({ metadata }) => metadata.must_act],
  [stratum, ({ metadata }) => metadata[stratum]],
  ['origin', ({ metadata }) => metadata.origin],
  ['ledger_class', ledgerClass],
  ['prompt_mode', ({ promptMode }) => promptMode],
  ['input_tokens', ({ inputTokens }) => inputTokens],
  ['output_tokens', ({ outputTokens }) => outputTokens],
  ['total_tokens', ({ totalTokens }) => totalTokens],
  ['tokens_estimated', ({ tokensEstimated }) => tokensEstimated],
  ['repaired', ({ repaired }) => repaired],
  ['raw_response', ({ rawResponse }) => rawResponse],
];

/** Rows for a spreadsheet, as RFC 4180 has it, one line at a time. No cell can become a formula: text that would begin one gets an apostrophe. */
export function* csvReportChunks(report: RunReport): Generator<string> {
  if (report.imported?.hasRows === false)
    throw new KrisisError(
      `${report.imported.source}: was imported without rows, so there is no CSV of it; --format metrics-json has its numbers`,
      { value: report.imported.source },
    );
  const columns = columnsFor(stratumOf(report.task).key);
  yield line(columns.map(([title]) => title));
  for (const row of report.rows()) yield line(columns.map(([, cell]) => cell(row)));
}

function line(cells: readonly unknown[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

/** What a spreadsheet takes for the beginning of a formula; the last four are the wide forms that some take for the same. */
const BEGINS_FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/**
 * One cell, quoted where it must be.
 *
 * @example
 * ```ts
 * csvCell('=1+1') // => "'=1+1"
 * csvCell('-0.5') // => '-0.5'
 * csvCell('a "b", c') // => '"a ""b"", c"'
 * ```
 */
export function csvCell(value: unknown): string {
  const text = cellText(value);
  const safe = BEGINS_FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(cellText).join('; ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
