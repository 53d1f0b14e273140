import type { ApiOptions } from '../models/api/api-options.ts';
import { isApiModel } from '../models/api/providers/providers.ts';
import type { QueueTransport } from '../transports/queue/queue-transport.ts';
import { usageError } from './errors.ts';
import type { RunValues } from './options/run-options.ts';
import { printMessage } from './print.ts';
import { queueAddress, queueSecret } from './queue.ts';

/**
 * The ways of a command's models through the queue. Without a queue they are asked from here. `apiFor` gives the settings of a model, with its way; `allow` names the providers that protected data
 * may be sent to, null where the data are not protected.
 */
export async function queueTransports(given: RunValues) {
  refuseWithoutQueue(given);
  // A plan asks nothing.
  const secret = given.queue === undefined || given.dryRun ? null : await queueSecret();
  const transports = new Map<string, Promise<QueueTransport>>();
  return {
    apiFor: async (model: string, api: ApiOptions, allow: readonly string[] | null): Promise<ApiOptions> => {
      if (secret === null) return api;
      if (!isApiModel(model)) {
        printMessage(`krisis: ${model} answers in this process, not through the queue\n`);
        return api;
      }
      const { openQueue } = await import('../transports/queue/queue-transport.ts');
      // A model that also judges may be asked with other settings then.
      const key = JSON.stringify([model, api]);
      let transport = transports.get(key);
      if (transport === undefined) {
        transport = openQueue({
          url: queueAddress(given.queue),
          model,
          api,
          secret,
          allow,
          priority: given.priority,
          waitSeconds: given.queueWait,
          mixedWorkers: given.mixedWorkers,
          onNotice: (text) => printMessage(`krisis: ${text}\n`),
        });
        transports.set(key, transport);
      }
      return (await transport).api;
    },
    close: async () => {
      for (const opened of await Promise.allSettled(transports.values()))
        if (opened.status === 'fulfilled') await opened.value.close();
    },
  };
}

/** Options of a queue without a queue are a mistake, and so are a queue and bulk jobs at the same time. */
function refuseWithoutQueue({ queue, bulk, ...given }: RunValues): void {
  const flags = { priority: '--priority', queueWait: '--set queueWait', mixedWorkers: '--set mixedWorkers' };
  for (const [name, flag] of Object.entries(flags))
    if (queue === undefined && given[name as keyof typeof flags] !== undefined)
      throw usageError(`${flag} needs a queue: add --queue URL`);
  if (queue !== undefined && bulk) throw usageError('--queue and --bulk exclude each other: leave one out');
}
