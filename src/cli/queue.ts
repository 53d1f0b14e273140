import { existsSync } from 'node:fs';
import { Command } from '@commander-js/extra-typings';
import { findRun, RunFile } from '../store/index.ts';
import { print } from './print.ts';
import { queueAddress } from './queue-address.ts';
import { usageError } from './usage-error.ts';

const ID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;

/** `krisis queue clear`: takes the calls of a run out of the queue. */
export function queueCommand() {
  const clear = new Command('clear')
    .description('remove the calls of a run from the queue')
    .argument('<run>', 'run file, part of its name, latest, or the id of a run')
    .option('--queue <url>', 'Redis of the queue (default: KRISIS_QUEUE_URL)')
    .option('--json', 'print one JSON object on standard output')
    .addHelpText(
      'after',
      `
A run removes its calls when it ends. After a kill, results wait a day for the
same command; this removes them at once. Calls in flight stay until their worker
has finished.

Examples:
  krisis queue clear latest --queue redis://10.0.0.5
`,
    )
    .action(async (run, { queue, json }) => {
      const url = queueAddress(queue);
      const id = runIdOf(run);
      const { clearRun } = await import('../queue/index.ts');
      const { nRemoved, nUnderWay } = await clearRun(url, id);
      const rest = nUnderWay === 0 ? '' : `; ${nUnderWay} in flight`;
      print(
        json,
        { run_id: id, n_removed: nRemoved, n_under_way: nUnderWay },
        `${nRemoved === 1 ? '1 call' : `${nRemoved} calls`} removed${rest}\n`,
      );
    });
  return new Command('queue').description('manage the calls of runs in a queue').addCommand(clear);
}

function runIdOf(typed: string): string {
  if (ID.test(typed) && !existsSync(typed)) return typed;
  const path = findRun(typed);
  const id = RunFile.peek(path)?.runId;
  if (!id) throw usageError(`${typed}: the run has no id, so it never used a queue`);
  return id;
}
