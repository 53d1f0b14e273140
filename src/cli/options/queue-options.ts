import { z } from 'zod';
import { choice, text, toggle, whole } from '../../suites/suite-option.ts';
import { HEADINGS } from './headings.ts';
import { duration, inGroup, list, type OptionSpec, positiveNumber, type ValuesOf } from './option.ts';

const QUEUE: OptionSpec<string | true> = {
  ...text('--queue [url]', 'ask through workers; Redis (default: KRISIS_QUEUE_URL)'),
  schema: z.union([z.string().min(1), z.literal(true)]),
};

/** How a run uses workers. */
export const QUEUE_OPTIONS = inGroup(HEADINGS.queue, null, {
  queue: QUEUE,
  priority: choice('--priority <level>', 'go before (high) or after (low) other runs', ['high', 'low']),
  queueWait: duration('--queue-wait <time>', 'how long to wait for a worker (default: 10m)'),
  mixedWorkers: toggle('--mixed-workers', 'allow workers that serve different weights'),
});

export type QueueValues = ValuesOf<typeof QUEUE_OPTIONS>;

/** The options of `krisis worker`. */
export const WORKER_OPTIONS = {
  queue: text('--queue <url>', 'Redis of the queue (default: KRISIS_QUEUE_URL)'),
  model: list('-m, --model <names>', 'model, or several separated by commas'),
  baseUrl: text('--base-url <url>', 'address of the API: openai-compatible/, proxies'),
  concurrency: whole('--concurrency <n>', 'calls at the same time (default: 32)', 1),
  rpm: positiveNumber('--rpm <n>', 'at most this many calls a minute, all workers together'),
  tpm: positiveNumber('--tpm <n>', 'at most this many tokens a minute, all workers together'),
  name: text('--name <name>', 'name in lists and run files (default: machine and process)'),
  idleExit: duration('--idle-exit <time>', 'exit after this time without calls, e.g. 10m'),
};
