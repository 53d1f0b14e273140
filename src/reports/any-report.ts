import type { QuestionReport, RunReport } from '../results/index.ts';

/** A run with labels or with open questions, as it is read from a run file. */
export type AnyReport = RunReport | QuestionReport;

export function isQuestions(report: AnyReport): report is QuestionReport {
  return 'judge' in report;
}

export function ledgerOf(report: AnyReport): { readonly n: number; readonly not_run: number } {
  return isQuestions(report) ? report.ledger : report.card.ledger;
}
