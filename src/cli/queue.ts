import { existsSync } from 'node:fs';
import { Command } from '@commander-js/extra-typings';
import { snakeKeys } from '../core/codec.ts';
import { counted, durationText } from '../core/wording.ts';
import { borderlessTable } from '../reports/layout/borderless-table.ts';
import { findRun } from '../store/find-run.ts';
import { RunFile } from '../store/run-file.ts';
import { text, whole } from '../suites/suite-option.ts';
import type { KnownWorker } from '../transports/queue/registry.ts';
import type { StartedWorker } from '../transports/queue/worker.ts';
import { usageError } from './errors.ts';
import { addOptions, duration, list, positiveNumber, typedValues } from './options/option.ts';
import { packageVersion } from './package-files.ts';
import { columnMaker, print, printMessage, textWidth } from './print.ts';

const ID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;

/** `krisis ops queue clear`: takes the calls of a run out of the queue. */
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
  krisis ops queue clear latest --queue redis://10.0.0.5
`,
    )
    .action(async (run, { queue, json }) => {
      const url = queueAddress(queue);
      const id = findRunId(run);
      const { clearRun } = await import('../transports/queue/jobs.ts');
      const { nRemoved, nUnderWay } = await clearRun(url, id);
      const rest = nUnderWay === 0 ? '' : `; ${nUnderWay} in flight`;
      print(
        json,
        'workers',
        { run_id: id, n_removed: nRemoved, n_under_way: nUnderWay },
        `${counted(nRemoved, 'call')} removed${rest}\n`,
      );
    });
  return new Command().addCommand(clear);
}

function findRunId(typed: string): string {
  if (ID.test(typed) && !existsSync(typed)) return typed;
  const path = findRun(typed);
  const id = RunFile.peek(path)?.runId;
  if (!id) throw usageError(`${typed}: the run has no id, so it never used a queue`);
  return id;
}

/** The address of the queue: as typed, or from the environment. */
export function queueAddress(typed: string | true | undefined): string {
  const url = typeof typed === 'string' ? typed : process.env.KRISIS_QUEUE_URL;
  if (!url)
    throw usageError('which queue? Give --queue URL, e.g. redis://127.0.0.1:6379, or set KRISIS_QUEUE_URL');
  return url;
}

/** The secret of the queue, which is never typed: others could see it in the list of processes. */
export async function queueSecret(): Promise<string> {
  const { requireSecret } = await import('../transports/queue/cipher.ts');
  // A secret from a file may end in a line break.
  return requireSecret(process.env.KRISIS_QUEUE_SECRET?.trim());
}

const IDLE_LOOK_MS = 500;

/** `krisis ops worker`: makes calls for runs on other machines. */
export function workerCommand() {
  const command = new Command();
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
  krisis ops worker --queue redis://10.0.0.5 -m openai/gpt-5-mini --rpm 500
  krisis ops worker -m ollama/llama3.2 --name gpu-3 --concurrency 4
`,
    )
    .action(async () => {
      const given = typedValues(command, WORKER_OPTIONS);
      const url = queueAddress(given.queue);
      const models = given.model ?? [];
      if (models.length === 0) throw usageError('no model named; use --model NAME, as the runs name it');
      if (given.baseUrl !== undefined && new Set(models.map((model) => model.split('/')[0])).size > 1)
        throw usageError('--base-url is the address of one provider: start a worker for each');
      const secret = await queueSecret();
      const { startWorker } = await import('../transports/queue/worker.ts');
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

/** `krisis ops workers`: who makes calls for runs that use a queue. */
export function workersCommand() {
  return new Command()
    .option('--queue <url>', 'Redis of the queue (default: KRISIS_QUEUE_URL)')
    .option('--json', 'print one JSON object on standard output')
    .addHelpText(
      'after',
      '\nExamples:\n  krisis ops workers --queue redis://10.0.0.5\n  krisis ops workers --json\n',
    )
    .action(async ({ queue, json }) => {
      const url = queueAddress(queue);
      const secret = await queueSecret();
      const { listWorkers } = await import('../transports/queue/registry.ts');
      const { workers, ignored } = await listWorkers(url, secret);
      const objects = workers.map(({ id: _, isLive, destination, ...worker }) => ({
        ...snakeKeys(worker),
        sends_to: destination.host,
        live: isLive,
      }));
      const text = workers.length === 0 ? NONE : `${workersText(workers)}\n`;
      print(
        json,
        'workers',
        { workers: objects, n_ignored: ignored.length },
        `${text}${ignoredText(ignored.length)}`,
      );
    });
}

const NONE = 'no workers; krisis ops worker --queue URL --model M starts one\n';

function ignoredText(n: number): string {
  if (n === 0) return '';
  return n === 1
    ? '1 entry does not fit the secret and is not shown\n'
    : `${n} entries do not fit the secret and are not shown\n`;
}

function workersText(workers: readonly KnownWorker[]): string {
  const column = columnMaker(workers);
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

/** The options of `krisis ops worker`. */
const WORKER_OPTIONS = {
  queue: text('--queue <url>', 'Redis of the queue (default: KRISIS_QUEUE_URL)'),
  model: list('-m, --model <names>', 'model, or several separated by commas'),
  baseUrl: text('--base-url <url>', 'address of the API: openai-compatible/, proxies'),
  concurrency: whole('--concurrency <n>', 'calls at the same time (default: 32)', 1),
  rpm: positiveNumber('--rpm <n>', 'at most this many calls a minute, all workers together'),
  tpm: positiveNumber('--tpm <n>', 'at most this many tokens a minute, all workers together'),
  name: text('--name <name>', 'name in lists and run files (default: machine and process)'),
  idleExit: duration('--idle-exit <time>', 'exit after this time without calls, e.g. 10m'),
};
