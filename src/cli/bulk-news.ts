import { counted, plain, plainLine } from '../core/index.ts';
import type { BulkJob } from '../store/index.ts';
import type { LiveLine } from './live-line.ts';
import { printMessage } from './print.ts';
import { holdsProtectedData } from './protected-data.ts';

const MAX_ID = 100;

/** How a job is called in messages: as the provider does, or by our own mark where the records are protected, because a provider may write anything. */
export function shownId(
  { remoteId, nonce }: Pick<BulkJob, 'remoteId' | 'nonce'>,
  isProtected: boolean,
): string {
  return plainLine((isProtected ? null : remoteId) ?? nonce, MAX_ID);
}

/** Says what happens to bulk jobs: each change once, since a job may take a day. */
export function bulkNews(line: Pick<LiveLine, 'clear'>): (job: BulkJob, says: string) => void {
  const last = new Map<number, string>();
  return (job, says) => {
    if (last.get(job.id) === says) return;
    last.set(job.id, says);
    line.clear();
    const id = shownId(job, holdsProtectedData());
    printMessage(`${plain(job.lane)}: bulk job ${id} (${counted(job.n, 'request')}): ${plain(says)}\n`);
  };
}
