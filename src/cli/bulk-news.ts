import type { BulkJob } from '../store/index.ts';
import type { LiveLine } from './live-line.ts';
import { printMessage } from './print.ts';

/** Says what happens to bulk jobs: each change once, since a job may take a day. */
export function bulkNews(line: Pick<LiveLine, 'clear'>): (job: BulkJob, says: string) => void {
  const last = new Map<number, string>();
  return (job, says) => {
    if (last.get(job.id) === says) return;
    last.set(job.id, says);
    line.clear();
    printMessage(`${job.lane}: bulk job ${job.remoteId ?? job.nonce} (${requests(job.n)}): ${says}\n`);
  };
}

function requests(n: number): string {
  return n === 1 ? '1 request' : `${n} requests`;
}
