import { basename } from 'node:path';
import { KrisisError } from '../../core/index.ts';
import type { RunReport } from '../run-result.ts';

/** The place of the run that the others are compared with: the first that can be paired, unless one is wanted; null when no two can be paired. */
export function chooseBaseline(reports: readonly RunReport[], wanted: number | undefined): number | null {
  if (wanted === undefined) {
    const pairable = reports.flatMap(({ suiteHash }, r) => (suiteHash === null ? [] : [r]));
    return pairable.length < 2 ? null : pairable[0]!;
  }
  const report = reports[wanted];
  if (report === undefined) throw new KrisisError('the baseline is not among the runs to compare');
  if (report.suiteHash === null)
    throw new KrisisError(
      `${nameInMessage(report)} cannot be the baseline: ${whyNotPaired(report).message}`,
      { value: report.path },
    );
  return wanted;
}

/** Refuses runs of different suites: their records are not the same, whatever their ids say. */
export function checkSameSuite(baseline: RunReport, others: readonly RunReport[]): void {
  const other = others.find(({ suiteHash }) => suiteHash !== baseline.suiteHash);
  if (other === undefined) return;
  throw new KrisisError(
    `the runs are of different suites, so their records are not the same:\n  ${baseline.suiteHash}  ${nameInMessage(baseline)}\n  ${other.suiteHash}  ${nameInMessage(other)}\nRun both on the same suite, or give --allow-different-suites to pair the records whose ids are in both`,
    { value: [baseline.suiteHash, other.suiteHash] },
  );
}

function nameInMessage({ backendName, path }: RunReport): string {
  return path === null ? backendName : `${backendName} (${basename(path)})`;
}

/** Why a run without a suite hash stands in the table only. */
export function whyNotPaired({ imported }: RunReport): { reason: string; message: string } {
  if (imported?.hasRows === false)
    return {
      reason: 'imported_without_rows',
      message: `imported from ${imported.source}, which has no rows: its numbers stand as published`,
    };
  return {
    reason: 'suite_unknown',
    message: `${imported ? `imported from ${imported.source}: ` : ''}nobody can say that its records are those of the others (no suite hash)`,
  };
}
