import { Command } from '@commander-js/extra-typings';
import { durationText } from '../core/index.ts';
import type { StartedWorker } from '../queue/index.ts';
import { addOptions, typedValues } from './options/option.ts';
import { WORKER_OPTIONS } from './options/queue-options.ts';
import { printMessage } from './print.ts';
import { queueAddress, queueSecret } from './queue-address.ts';
import { usageError } from './usage-error.ts';
import { packageVersion } from './version.ts';

const IDLE_LOOK_MS = 500;

/** `krisis worker`: makes calls for runs on other machines. */
export function workerCommand() {
  const command = new Command('worker').description(
    'make calls for runs that use a queue (krisis run --queue)',
  );
  addOptions(command, WORKER_OPTIONS);
  return command
    .addHelpText(
      'after',
      `
A worker takes calls from the queue, makes each once, and returns the reply. The
run keeps its file, its retries and its budget. The worker reads keys from its
environment, as krisis run does. KRISIS_QUEUE_SECRET is required: it encrypts
calls, and a worker ignores those that do not fit it. To make one:
  openssl rand -hex 32 > queue.secret && chmod 600 queue.secret
  export KRISIS_QUEUE_SECRET="$(cat queue.secret)"

On Ctrl-C or SIGTERM it finishes calls in flight and exits.

Examples:
  krisis worker --queue redis://10.0.0.5 -m openai/gpt-5-mini --rpm 500
  krisis worker -m ollama/llama3.2 --name gpu-3 --concurrency 4
`,
    )
    .action(async () => {
      const given = typedValues(command, WORKER_OPTIONS);
      const url = queueAddress(given.queue);
      const models = given.model ?? [];
      if (models.length === 0) throw usageError('which model? Give --model, as the runs name it');
      if (given.baseUrl !== undefined && new Set(models.map((model) => model.split('/')[0])).size > 1)
        throw usageError('--base-url is the address of one provider: start a worker for each');
      const secret = await queueSecret();
      const { startWorker } = await import('../queue/index.ts');
      const workers: StartedWorker[] = [];
      const stop = () => Promise.all(workers.map((worker) => worker.stop()));
      try {
        for (const model of models)
          workers.push(
            await startWorker({
              url,
              model,
              secret,
              version: packageVersion(),
              name: given.name,
              baseUrl: given.baseUrl,
              concurrency: given.concurrency,
              requestsPerMinute: given.rpm,
              tokensPerMinute: given.tpm,
              onNotice: (text) => printMessage(`krisis: ${text}\n`),
            }),
          );
      } catch (error) {
        await stop();
        throw error;
      }
      for (const [i, { name, destination }] of workers.entries())
        printMessage(`${name}: takes calls for ${models[i]}, sends them to ${destination.host}\n`);
      const leave = onSignal(stop);
      const idle = setInterval(() => {
        const longest = given.idleExit ?? Number.POSITIVE_INFINITY;
        if (workers.some((worker) => worker.idleSeconds() < longest)) return;
        printMessage(`no calls for ${durationText(longest)}: exiting\n`);
        clearInterval(idle);
        void stop();
      }, IDLE_LOOK_MS);
      await Promise.all(workers.map(({ left }) => left));
      clearInterval(idle);
      leave();
    });
}

/** First signal: finish and leave. Second: leave at once. */
function onSignal(stop: () => Promise<unknown>): () => void {
  let isStopping = false;
  const handler = () => {
    if (isStopping) process.exit(130);
    isStopping = true;
    printMessage('\nfinishing calls in flight (Ctrl-C again quits at once)\n');
    void stop();
  };
  process.on('SIGINT', handler).on('SIGTERM', handler);
  return () => void process.off('SIGINT', handler).off('SIGTERM', handler);
}
