import { parentPort, workerData } from 'node:worker_threads';
import { KrisisError } from '../core/index.ts';
import type { ViewedPlace } from './open-runs.ts';
import type { Reply, Request } from './served-runs.ts';
import { viewedRuns } from './viewed-runs.ts';

/** The thread for slow payloads: those that read all rows of a run or compare two. See served-runs.ts. */
const runs = viewedRuns(workerData as ViewedPlace);

parentPort!.on('message', (request: Request) => {
  parentPort!.postMessage(replyTo(request));
});

function replyTo({ number, path, params }: Request): Reply {
  try {
    return { number, value: runs.get(path, params as never) };
  } catch (error) {
    // Messages between threads keep the text of an error, not its class.
    const { message, stack } = error as Error;
    const code = error instanceof KrisisError ? error.code : null;
    return { number, error: { code, message, stack: stack ?? message } };
  }
}
