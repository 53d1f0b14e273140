import { KrisisError } from '../core/errors.ts';
import type { ViewedPlace } from './open-runs.ts';
import type { ReaderMessage, ReaderRequest } from './reader-process.ts';
import { viewedRuns } from './viewed-runs.ts';

/** The process that reads run files for the server. See reader-process.ts. */
const send = (message: ReaderMessage) => process.send!(message);
const place = JSON.parse(process.argv[2]!) as ViewedPlace;
const runs = viewedRuns(place, { onReading: (reading, version) => send({ reading, version }) });

process.on('message', (request: ReaderRequest) => {
  send(replyTo(request));
});
// Ctrl-C reaches every process of a terminal; the server ends this one.
process.on('SIGINT', () => {});
process.on('disconnect', () => process.exit());
send({ ready: true });

function replyTo({ path, params, quickOnly, skipped }: ReaderRequest): ReaderMessage {
  try {
    runs.files.skip(skipped);
    return { value: quickOnly ? runs.quick(path, params as never) : runs.get(path, params as never) };
  } catch (error) {
    // Messages between processes keep the text of an error, not its class.
    const { message, stack } = error as Error;
    const code = error instanceof KrisisError ? error.code : null;
    return { error: { code, message, stack: stack ?? message } };
  }
}
