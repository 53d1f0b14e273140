import { plain, plainLine } from '../core/plain-text.ts';
import { counted } from '../core/wording.ts';
import type { BulkJob } from '../store/bulk-ledger.ts';
import type { BulkOptions } from '../transports/bulk/bulk-options.ts';
import { usageError } from './errors.ts';
import type { RunValues } from './options/run-options.ts';
import { printMessage } from './print.ts';
import type { LiveLine } from './progress.ts';
import { holdsProtectedData } from './protected-data.ts';

/** How a command uses bulk jobs; undefined without `--bulk`. */
export function bulkOptions(given: RunValues, line: Pick<LiveLine, 'clear'>): BulkOptions | undefined {
  if (!given.bulk) return undefined;
  return {
    maxRequests: given.bulkMax,
    waitSeconds: given.bulkWait,
    detach: given.detach,
    rest: given.bulkRest,
    trial: given.bulkTrial,
    again: given.bulkAgain,
    pollSeconds: given.bulkPoll,
    onJob: bulkNews(line),
  };
}

/** Options of bulk jobs without bulk jobs are a mistake. */
export function refuseWithoutBulk({ bulk, ...given }: RunValues): void {
  const typed = Object.keys(given).find((name) => /^(detach|bulk[A-Z])/.test(name));
  if (bulk || typed === undefined) return;
  const flag = typed === 'detach' ? '--detach' : `--set ${typed}`;
  throw usageError(`${flag} needs bulk jobs: add --bulk`);
}

const MAX_ID = 100;

/** How a job is called in messages: as the provider does, or by our own mark where the records are protected, because a provider may write anything. */
export function shownId(
  { remoteId, nonce }: Pick<BulkJob, 'remoteId' | 'nonce'>,
  isProtected: boolean,
): string {
  return plainLine((isProtected ? null : remoteId) ?? nonce, MAX_ID);
}

/** Says what happens to bulk jobs: each change once, since a job may take a day. */
function bulkNews(line: Pick<LiveLine, 'clear'>): (job: BulkJob, says: string) => void {
  const last = new Map<number, string>();
  return (job, says) => {
    if (last.get(job.id) === says) return;
    last.set(job.id, says);
    line.clear();
    const id = shownId(job, holdsProtectedData());
    printMessage(`${plain(job.lane)}: bulk job ${id} (${counted(job.n, 'request')}): ${plain(says)}\n`);
  };
}
