import { type ChildProcess, fork } from 'node:child_process';
import { getCompileCacheDir } from 'node:module';
import { dirname, extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ErrorCode, KrisisError } from '../core/errors.ts';
import type { AddressPath } from './addresses.ts';
import type { ViewedPlace } from './open-runs.ts';

/** What a reader process is asked for. */
export interface ReaderRequest {
  readonly path: AddressPath;
  readonly params: unknown;
  /** Build the payload only if it takes no time, however long the run is; null otherwise. */
  readonly quickOnly: boolean;
  /** Versions of files that are not to be opened, by path: an earlier request did not come back from them. */
  readonly skipped: ReadonlyMap<string, string>;
}

/** What a reader process sends: that it has started, which file it opens, or the end of a request. */
export type ReaderMessage =
  | { readonly ready: true }
  | { readonly reading: string; readonly version: string }
  | { readonly value: unknown }
  | {
      readonly error: {
        /** Null for a fault of Krisis. */
        readonly code: ErrorCode | null;
        readonly message: string;
        readonly stack: string;
      };
    };

/** A reader had to be ended. */
export class ReaderStuck extends Error {
  /** The files that it had opened for the request, by path, with their versions; the last one last. */
  readonly files: ReadonlyMap<string, string>;

  constructor(message: string, files: ReaderStuck['files']) {
    super(message);
    this.files = files;
  }
}

interface Waiting extends PromiseWithResolvers<unknown> {
  readonly request: Omit<ReaderRequest, 'skipped'>;
  readonly limitMs: number;
}

/** A busy machine may need long to start a process; that is no fault of a file. */
const START_MS = 60_000;

export type ReaderProcess = ReturnType<typeof readerProcess>;

/**
 * Builds payloads in a process of its own, one after the other. A file that makes it hang or crash ends that process and not the server: a thread could not be ended while SQLite runs. The
 * time limit starts again with every file that the process opens.
 */
export function readerProcess(place: ViewedPlace, skipped: ReadonlyMap<string, string>) {
  const queue: Waiting[] = [];
  let child: ChildProcess | null = null;
  let current: Waiting | null = null;
  let files = new Map<string, string>();
  let timer: NodeJS.Timeout | undefined;
  let isReady = false;
  let isClosed = false;

  const start = () => {
    isReady = false;
    const started = forkReader(place);
    started.on('message', (message: ReaderMessage) => {
      if (started === child) receive(message);
    });
    started.on('error', () => {});
    started.on('exit', () => {
      if (started === child) giveUp('the process that reads runs ended unexpectedly');
    });
    return started;
  };
  const limit = () => {
    clearTimeout(timer);
    const { limitMs } = current!;
    const ms = isReady ? limitMs : Math.max(limitMs, START_MS);
    timer = setTimeout(() => giveUp(`no answer within ${ms / 1000} s`), ms);
    timer.unref();
  };
  const receive = (message: ReaderMessage) => {
    if ('ready' in message) isReady = true;
    if (current === null) return;
    if ('ready' in message) {
      limit();
      return;
    }
    if ('reading' in message) {
      files.delete(message.reading);
      files.set(message.reading, message.version);
      limit();
      return;
    }
    const { resolve, reject } = finished()!;
    if ('error' in message) reject(toError(message.error));
    else resolve(message.value);
    next();
  };
  const finished = () => {
    const ended = current;
    clearTimeout(timer);
    current = null;
    return ended;
  };
  const giveUp = (why: string) => {
    end();
    finished()?.reject(new ReaderStuck(why, files));
    next();
  };
  const end = () => {
    // It only reads, so nothing is lost.
    child?.kill('SIGKILL');
    child = null;
  };
  const next = () => {
    const waiting = current === null ? queue.shift() : undefined;
    if (waiting === undefined) return;
    current = waiting;
    files = new Map();
    child ??= start();
    child.send({ ...waiting.request, skipped } satisfies ReaderRequest, (error) => {
      if (error !== null && current === waiting) giveUp(error.message);
    });
    limit();
  };

  return {
    /** Starting takes half a second: the first request should not wait for it. */
    start() {
      if (!isClosed) child ??= start();
    },
    /** @throws ReaderStuck if the process had to be ended. */
    async ask(request: Waiting['request'], limitMs: number): Promise<unknown> {
      // A process that starts now would keep a server that has ended alive.
      if (isClosed) throw closedError();
      const waiting = { request, limitMs, ...Promise.withResolvers<unknown>() };
      queue.push(waiting);
      next();
      return waiting.promise;
    },
    close() {
      isClosed = true;
      queue.length = 0;
      end();
      finished()?.reject(closedError());
    },
  };
}

function forkReader(place: ViewedPlace): ChildProcess {
  // The same extension as this file: .ts in the sources, .js in the build.
  const script = new URL(`./runs-reader${extname(import.meta.url)}`, import.meta.url);
  return fork(fileURLToPath(script), [JSON.stringify(place)], {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    execArgv: [],
    env: { ...process.env, ...compileCache() },
  });
}

function closedError(): KrisisError {
  return new KrisisError('the viewer was closed', { code: 'ERR_VIEW_NOT_FOUND' });
}

function toError({ code, message, stack }: Extract<ReaderMessage, { error: unknown }>['error']): Error {
  if (code !== null) return new KrisisError(message, { code });
  const fault = new Error(message);
  fault.stack = stack;
  return fault;
}

/** Compiled code is kept where this process keeps its own, below a folder for the version of Node: it halves the time to start. */
function compileCache(): Readonly<Record<string, string>> {
  const folder = getCompileCacheDir();
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) };
}
