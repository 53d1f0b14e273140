import { Command } from '@commander-js/extra-typings';
import { durationText, snakeKeys } from '../core/index.ts';
import type { KnownWorker } from '../queue/index.ts';
import { borderlessTable } from '../reports/layout/borderless-table.ts';
import { print } from './print.ts';
import { queueAddress, queueSecret } from './queue-address.ts';
import { textWidth } from './terminal-width.ts';

/** `krisis workers`: who makes calls for runs that use a queue. */
export function workersCommand() {
  return new Command('workers')
    .description('list the workers of a queue')
    .option('--queue <url>', 'Redis of the queue (default: KRISIS_QUEUE_URL)')
    .option('--json', 'print one JSON object on standard output')
    .addHelpText('after', '\nExamples:\n  krisis workers --queue redis://10.0.0.5\n  krisis workers --json\n')
    .action(async ({ queue, json }) => {
      const url = queueAddress(queue);
      const secret = await queueSecret();
      const { listWorkers } = await import('../queue/index.ts');
      const { workers, ignored } = await listWorkers(url, secret);
      const objects = workers.map(({ id: _, isLive, destination, ...worker }) => ({
        ...snakeKeys(worker),
        sends_to: destination.host,
        live: isLive,
      }));
      const text = workers.length === 0 ? NONE : `${workersText(workers)}\n`;
      print(json, { workers: objects, n_ignored: ignored.length }, `${text}${ignoredText(ignored.length)}`);
    });
}

const NONE = 'no workers; krisis worker --queue URL --model M starts one\n';

function ignoredText(n: number): string {
  if (n === 0) return '';
  return n === 1
    ? '1 entry does not fit the secret and is not shown\n'
    : `${n} entries do not fit the secret and are not shown\n`;
}

function workersText(workers: readonly KnownWorker[]): string {
  const column = (title: string, of: (worker: KnownWorker) => string | number, isNumber = false) => ({
    title,
    isNumber,
    cells: workers.map((worker) => String(of(worker))),
  });
  return borderlessTable(
    [
      column('name', ({ name }) => name),
      column('model', ({ model }) => model),
      column('sends to', ({ destination }) => destination.host),
      column('busy', ({ busy, places }) => `${busy}/${places}`, true),
      column('done', ({ done }) => done, true),
      column('failed', ({ failed }) => failed, true),
      column('ignored', ({ ignored }) => ignored, true),
      column('429s', ({ rateLimits }) => rateLimits, true),
      { ...column('version', ({ version }) => version), isSpare: true },
      column('last heard', ({ secondsAgo, isLive }) =>
        isLive ? 'now' : `${durationText(Math.round(secondsAgo))} ago`,
      ),
    ],
    textWidth(),
  ).join('\n');
}
