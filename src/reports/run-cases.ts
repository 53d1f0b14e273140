import type { JunitCase } from './junit-case.ts';

/** What a run of either kind must be for its numbers to stand: complete, and without failed rows beyond what is tolerated. */
interface RunOutcome {
  readonly status: string;
  readonly stoppedBecause: string | null;
  /** Rows by class; the classes sum to `n`. */
  readonly ledger: { readonly n: number; readonly not_run: number };
}

export function completeCase({ status, stoppedBecause, ledger }: RunOutcome): JunitCase {
  const name = 'the run is complete';
  if (status === 'complete') return { name };
  const why = stoppedBecause === null ? '' : ` (${stoppedBecause})`;
  const message = `the run is ${status}${why}: ${ledger.not_run} of ${ledger.n} rows were not asked`;
  return { name, failure: { type: status, message } };
}

export function failedRowsCase({ ledger }: Pick<RunOutcome, 'ledger'>, tolerance: number): JunitCase {
  const failed = Object.entries(ledger).filter(([entry]) => entry.startsWith('failed_'));
  const nFailed = failed.reduce((sum, [, count]) => sum + count, 0);
  const name = tolerance === 0 ? 'no row failed' : `at most ${tolerance * 100} % of rows failed`;
  const found = `${nFailed} of ${ledger.n} rows failed`;
  if (nFailed <= tolerance * ledger.n) return { name, out: found };
  const classes = failed.map(([entry, count]) => `${entry} ${count}`).join(', ');
  return { name, failure: { type: 'failed_rows', message: `${found}: ${classes}` } };
}
