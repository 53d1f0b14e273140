import { parentPort, workerData } from 'node:worker_threads';
import { HTTPException } from 'hono/http-exception';
import { KrisisError } from '../core/index.ts';
import type { Question, Reply } from './served-runs.ts';
import { type ViewedPlace, viewedRuns } from './viewed-runs.ts';

/** The thread that does what takes long: reading all rows of a run, comparing two. See served-runs.ts. */
const runs = viewedRuns(workerData as ViewedPlace);

parentPort!.on('message', (question: Question) => {
  parentPort!.postMessage(replyTo(question));
});

function replyTo({ number, name, args }: Question): Reply {
  try {
    const answer = runs[name] as (...given: readonly unknown[]) => unknown;
    return { number, value: answer(...args) };
  } catch (error) {
    // A class does not survive the way between threads.
    const kind =
      error instanceof HTTPException ? 'not_found' : error instanceof KrisisError ? 'refused' : 'fault';
    const { message, stack } = error as Error;
    return { number, error: { kind, message, stack: stack ?? message } };
  }
}
