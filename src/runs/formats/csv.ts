import type { JudgedAnswer } from '../../analyses/judging/judged-answers.ts';
import { isJudged } from '../../analyses/judging/judged-result.ts';
import { snakeCase } from '../../core/codec.ts';
import { decisionFacts } from '../../core/decision-class.ts';
import { KrisisError } from '../../core/errors.ts';
import { textClass } from '../../core/ledger.ts';
import { getStratum } from '../../core/patient-record.ts';
import { csvLine } from '../../reports/formats/csv-cell.ts';
import { LABELLED_ROW_KEYS } from '../../store/tables.ts';
import type { BenchmarkRow, RunResult } from '../run-result.ts';
import { rowWriter } from './json.ts';
import { verdictObject } from './question-json.ts';

/** The first line for rows with labels: fields of the row as in JSON, then of its metadata. GROUPS are the task's stratum and the keys that were grouped by. */
const ROW_HEAD = [
  'id,repeat,case_kind,decision_class,ground_truth,prediction,urgent,state,state_reason,abstained,confidence',
  'confidence_source,deferral_reason,should_abstain,should_abstain_reasons,must_act,near_line,GROUPS,origin',
  'ledger_class,problem,http_status',
  'prompt_mode,call,input_tokens,output_tokens,total_tokens,tokens_estimated,repaired,reply_order',
  ...LABELLED_ROW_KEYS.map(snakeCase),
  'raw_response',
].join(',');
/** The first line for open questions. */
const ITEM_HEAD = [
  'id,repeat,state,ledger_class,should_abstain,source,trait,evaluation_mode,item_id,kind,instruction',
  'verdict,value,scored,reason,quote,start,end,n_quotes,judge',
].join(',');

/** The cells of a line, by column. */
export type Cells = Readonly<Record<string, unknown>>;

/** Rows for a spreadsheet as RFC 4180 has it, one line at a time. No cell can become a formula: text that would begin one gets an apostrophe. */
export function* csvChunks(report: RunResult): Generator<string> {
  const { columns, lines } = rowCells(report);
  yield csvLine(columns);
  for (const cells of lines) yield csvLine(columns.map((column) => cells[column]));
}

/**
 * The rows as a table: a line for each row of a run with labels; of open questions a line for each item of each answer, each other trait and the abstention.
 */
export function rowCells(report: RunResult): {
  readonly columns: readonly string[];
  readonly lines: Iterable<Cells>;
} {
  if (!isJudged(report) && report.imported?.hasRows === false)
    throw new KrisisError(
      `${report.imported.source}: was imported without rows, so there is no table of them; the metrics-json report has its numbers`,
      { code: 'ERR_NO_ROWS', value: report.imported.source },
    );
  // Only a run that asked failed rows again has attempts.
  const rowHead = report.execution.nAskedAgain ? `${ROW_HEAD},attempt` : ROW_HEAD;
  const head = isJudged(report) ? ITEM_HEAD : rowHead;
  const lines = isJudged(report)
    ? report.judging.answers.values().flatMap(itemLines)
    : Iterator.from(report.rows()).map(cellWriter(report));
  const columns = head
    .split(',')
    // Where the answer says whether to act, urgency is not stated apart from it.
    .filter((column) => column !== 'urgent' || report.card.emergencyRule !== 'label')
    .flatMap((column) => (column === 'GROUPS' ? groupKeys(report) : column));
  return { columns, lines };
}

/** The task's stratum where rows have one, the metadata that the run was grouped by, and the key of its clusters. A key of the row itself has its column. */
function groupKeys({ figures, groups, task, method }: RunResult): string[] {
  const { key } = getStratum(task);
  const hasStratum = figures?.dots.some(({ by }) => by === key) ?? false;
  const named = ROW_HEAD.split(',');
  const keys = [hasStratum ? key : null, ...groups.map(({ by }) => by), method.cluster];
  return [...new Set(keys)].filter((by) => by !== null && !named.includes(by)) as string[];
}

function cellWriter(report: RunResult): (row: BenchmarkRow) => Cells {
  const write = rowWriter(report);
  const actLabels = report.task?.actLabels ?? undefined;
  return (row) => ({
    ...row.metadata,
    ...write(row),
    must_act: decisionFacts(row, actLabels).mustAct,
    should_abstain_reasons: row.metadata.should_abstain_reasons ?? row.metadata.deferral_reason,
  });
}

function itemLines(answer: JudgedAnswer): Cells[] {
  const { id, repeat, state, shouldAbstain } = answer;
  const common = { id, repeat, state, ledger_class: textClass(answer), should_abstain: shouldAbstain };
  const own: Cells[] = [
    ...answer.metricTraits.flatMap(({ trait, judge, items }) =>
      items.map((item): Cells => {
        const quote = item.quotes.find(({ start }) => start !== null) ?? item.quotes[0];
        return {
          ...quote,
          ...verdictObject(item),
          source: 'metric',
          evaluation_mode: trait.evaluationMode,
          item_id: item.id,
          quote: quote?.text,
          n_quotes: item.quotes.length,
          judge,
        };
      }),
    ),
    ...answer.otherTraits.map(({ source, trait, judge, outcome }): Cells => {
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
  return own.map((cells) => ({ ...cells, ...common }));
}
