import { basename } from 'node:path';
import { KrisisError } from '../../core/index.ts';
import type { RunResult } from '../run-result.ts';
import { whyDifferentRecords } from './why-different-records.ts';

/** The index of the run that the others are compared with. Default: the first that can be paired; null when no two can be paired. */
export function chooseBaseline(reports: readonly RunResult[], wanted: number | undefined): number | null {
  if (wanted === undefined) {
    const pairable = reports.flatMap(({ suiteHash }, r) => (suiteHash === null ? [] : [r]));
    return pairable.length < 2 ? null : pairable[0]!;
  }
  const report = reports[wanted];
  if (report === undefined)
    throw new KrisisError('the baseline is not among the runs to compare', {
      code: 'ERR_RUNS_NOT_COMPARABLE',
    });
  if (report.suiteHash === null)
    throw new KrisisError(
      `${nameInMessage(report)} cannot be the baseline: ${whyNotPaired(report).message}`,
      { value: report.path, code: 'ERR_RUNS_NOT_COMPARABLE' },
    );
  return wanted;
}

/** Refuses runs with different suite hashes: their records are not the same, even where their ids are. */
export function checkSameSuite(baseline: RunResult, others: readonly RunResult[]): void {
  const other = others.find(({ suiteHash }) => suiteHash !== baseline.suiteHash);
  if (other === undefined) return;
  throw new KrisisError(
    `${whyDifferentRecords([baseline, other], baseline.judging ? 'questions or rubrics' : 'records')}:\n  ${baseline.suiteHash}  ${nameInMessage(baseline)}\n  ${other.suiteHash}  ${nameInMessage(other)}\nRun both on the same version of the suite, with the same limits and seed`,
    { value: [baseline.suiteHash, other.suiteHash], code: 'ERR_DIFFERENT_SUITES' },
  );
}

/** Refuses runs of different tasks, also where they are in the table only: their scores answer different questions. A run that does not say its task passes. */
export function checkSameTask(results: readonly RunResult[]): void {
  const known = results.filter(({ task }) => task?.pack != null);
  if (new Set(known.map(({ task }) => task!.pack)).size < 2) return;
  const lines = known.map((result) => `  ${result.task!.pack}  ${nameInMessage(result)}`);
  throw new KrisisError(`runs of different tasks cannot be compared:\n${lines.join('\n')}`, {
    code: 'ERR_RUNS_NOT_COMPARABLE',
    value: known.map(({ task }) => task!.pack),
  });
}

function nameInMessage({ backendName, path }: RunResult): string {
  return path === null ? backendName : `${backendName} (${basename(path)})`;
}

/** Why a run without a suite hash is in the table only. */
export function whyNotPaired({ imported, recorded }: RunResult): { reason: string; message: string } {
  if (imported?.hasRows === false)
    return {
      reason: 'imported_without_rows',
      message: `imported from ${imported.source}, which has no rows: its numbers are as published`,
    };
  if (recorded !== null)
    return {
      reason: 'rows_without_ids',
      message: `not every row of ${recorded.source} has an id, so its records cannot be found among those of the others`,
    };
  return {
    reason: 'suite_unknown',
    message: `${imported ? `imported from ${imported.source}: ` : ''}its records are not known to be those of the others (no suite hash)`,
  };
}
