import { KrisisError, ledgerClass, textClass } from '../../core/index.ts';
import type { BenchmarkRow, JudgedAnswer, RunResult } from '../../results/index.ts';
import { stratumOf } from '../../suites/domains/index.ts';
import { isJudged } from '../judged-result.ts';

const rowColumns = (
  stratum: string,
): readonly (readonly [title: string, cell: (row: BenchmarkRow) => unknown])[] => [
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

const ITEM_COLUMNS = [
  'id',
  'repeat',
  'state',
  'ledger_class',
  'should_abstain',
  'source',
  'trait',
  'evaluation_mode',
  'item_id',
  'kind',
  'instruction',
  'verdict',
  'value',
  'scored',
  'reason',
  'quote',
  'start',
  'end',
  'n_quotes',
  'judge',
] as const;

type Line = Partial<Record<(typeof ITEM_COLUMNS)[number], unknown>>;

/**
 * Rows for a spreadsheet as RFC 4180 has it, one line at a time: a line for each row of a run with labels; of open questions a line for each item of each answer, each
 * other trait and the abstention. No cell can become a formula: text that would begin one gets an apostrophe.
 */
export function* csvChunks(report: RunResult): Generator<string> {
  if (isJudged(report)) {
    yield line(ITEM_COLUMNS);
    for (const answer of report.judging.answers)
      for (const cells of itemLines(answer)) yield line(ITEM_COLUMNS.map((column) => cells[column]));
    return;
  }
  if (report.imported?.hasRows === false)
    throw new KrisisError(
      `${report.imported.source}: was imported without rows, so there is no CSV of it; the metrics-json report has its numbers`,
      { code: 'ERR_NO_ROWS', value: report.imported.source },
    );
  const columns = rowColumns(stratumOf(report.task).key);
  yield line(columns.map(([title]) => title));
  for (const row of report.rows()) yield line(columns.map(([, cell]) => cell(row)));
}

function itemLines(answer: JudgedAnswer): Line[] {
  const common: Line = {
    id: answer.id,
    repeat: answer.repeat,
    state: answer.state,
    ledger_class: textClass(answer),
    should_abstain: answer.shouldAbstain,
  };
  const own: Line[] = [
    ...answer.metricTraits.flatMap(({ trait, judge, items }) =>
      items.map((item): Line => {
        const quote = item.quotes.find(({ start }) => start !== null) ?? item.quotes[0];
        return {
          source: 'metric',
          trait: trait.name,
          evaluation_mode: trait.evaluationMode,
          item_id: item.id,
          kind: item.kind,
          instruction: item.instruction,
          verdict: item.class,
          scored: item.counts !== null,
          reason: item.reason,
          quote: quote?.text,
          start: quote?.start,
          end: quote?.end,
          n_quotes: item.quotes.length,
          judge,
        };
      }),
    ),
    ...answer.otherTraits.map(({ source, trait, judge, outcome }): Line => {
      const scored = outcome.kind !== 'unscored';
      return {
        source,
        trait: trait.name,
        kind: outcome.kind,
        value: scored ? outcome.value : null,
        scored,
        reason: scored ? null : outcome.reason,
        judge,
      };
    }),
    {
      source: 'abstention',
      trait: 'krisis.abstained',
      kind: 'boolean',
      value: answer.abstained,
      scored: answer.abstained !== null,
      reason: answer.abstainedReason,
    },
  ];
  return own.map((cells) => ({ ...common, ...cells }));
}

function line(cells: readonly unknown[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

/** What a spreadsheet takes for the beginning of a formula; the last four are the full-width forms, which some accept too. */
const BEGINS_FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/**
 * One cell, quoted where necessary.
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
