import type { BulkJob } from '../../store/bulk-ledger.ts';

/** How bulk jobs are used. */
export interface BulkOptions {
  /** The most requests in one job. Default: 10,000. */
  readonly maxRequests?: number | undefined;
  /** How long the run waits for results, in seconds. Default: 26 hours. */
  readonly waitSeconds?: number | undefined;
  /** Leave after submission; the same command continues. Default: false. */
  readonly detach?: boolean | undefined;
  /** Whether what is left after the first jobs (splits, expired requests) waits for further jobs or is asked by ordinary calls. Default: `wait`. */
  readonly rest?: 'wait' | 'now' | undefined;
  /** Ordinary calls before the first job: a request that the provider refuses should not be sent ten thousand times. Default: 1. */
  readonly trial?: number | undefined;
  /** Ask again what was in a job whose results are gone; it is paid for twice. Default: false. */
  readonly again?: boolean | undefined;
  /** The first pause between two looks at a job, in seconds; it grows to five minutes. Default: 30. */
  readonly pollSeconds?: number | undefined;
  /** Called when a job changes its state. */
  readonly onJob?: ((job: BulkJob, says: string) => void) | undefined;
}
