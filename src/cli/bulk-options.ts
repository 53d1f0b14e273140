import type { BulkOptions } from '../engine/index.ts';
import { bulkNews } from './bulk-news.ts';
import type { LiveLine } from './live-line.ts';
import type { BulkValues } from './options/run-options.ts';
import { usageError } from './usage-error.ts';

/** How a command uses bulk jobs; undefined without `--bulk`. */
export function bulkOptions(given: BulkValues, line: Pick<LiveLine, 'clear'>): BulkOptions | undefined {
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
export function refuseWithoutBulk({ bulk, ...given }: BulkValues): void {
  const typed = Object.keys(given).find((name) => /^(detach|bulk[A-Z])/.test(name));
  if (bulk || typed === undefined) return;
  const flag = `--${typed.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  throw usageError(`${flag} needs bulk jobs: add --bulk`);
}
