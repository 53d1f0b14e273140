import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { type ErrorCode, KrisisError } from '../core/index.ts';
import type { AddressPath, ParamsAt } from './addresses.ts';
import type { ViewedPlace } from './open-runs.ts';
import { viewedRuns } from './viewed-runs.ts';

export interface Request {
  readonly number: number;
  readonly path: AddressPath;
  readonly params: unknown;
}

export interface Reply {
  readonly number: number;
  readonly value?: unknown;
  readonly error?: {
    /** Null for a fault of Krisis. */
    readonly code: ErrorCode | null;
    readonly message: string;
    readonly stack: string;
  };
}

/** What a server needs: payloads, which may arrive later. */
export interface PayloadSource {
  get<Path extends AddressPath>(path: Path, params: ParamsAt<Path>): unknown;
}

/** Readers open a run before they filter its records: the thread builds the index meanwhile, after the page has loaded. */
const INDEX_AFTER_MS = 800;
const START_AFTER_MS = 200;

/** Payloads for a server that must stay responsive: quick ones are built here, slow ones in a thread, which also indexes the run that was opened last. */
export function servedRuns(place: ViewedPlace): PayloadSource & { close(): Promise<void> } {
  const here = viewedRuns(place);
  const thread = runsThread(place);
  const indexSoon = (id: string) =>
    // Any sorted page needs the index.
    setTimeout(
      () => thread.ask('runs/:id/records', { id, sort: 'id', limit: 1 }).catch(() => {}),
      INDEX_AFTER_MS,
    ).unref();
  return {
    get(path, params) {
      thread.startSoon();
      const quick = here.quick(path, params);
      if (quick === null) return thread.ask(path, params);
      if (path === 'runs/:id') indexSoon((params as ParamsAt<'runs/:id'>).id);
      return quick;
    },
    async close() {
      here.close();
      await thread.close();
    },
  };
}

/** Starts shortly after the first request, or when it is first needed; starts again after a crash. */
function runsThread(place: ViewedPlace) {
  const pending = new Map<number, PromiseWithResolvers<unknown>>();
  let worker: Worker | null = null;
  let asked = 0;
  let isStarting = false;
  let isClosed = false;

  const start = () => {
    // The same extension as this file: .ts in the sources, .js in the build.
    const file = new URL(`./runs-worker${extname(import.meta.url)}`, import.meta.url);
    const started = new Worker(file, { workerData: place });
    started.on('message', ({ number, value, error }: Reply) => {
      const waiting = pending.get(number);
      pending.delete(number);
      if (error === undefined) waiting?.resolve(value);
      else waiting?.reject(errorOf(error));
    });
    started.on('error', (error) => giveUp(started, error as Error));
    started.on('exit', () => giveUp(started, new Error('the thread that reads runs has ended')));
    return started;
  };
  const giveUp = (ended: Worker, error: Error) => {
    if (worker !== ended) return;
    worker = null;
    for (const { reject } of pending.values()) reject(error);
    pending.clear();
  };

  return {
    /** Starting takes half a second; the first click should not wait for it. */
    startSoon() {
      if (worker !== null || isStarting) return;
      isStarting = true;
      setTimeout(() => {
        if (!isClosed) worker ??= start();
      }, START_AFTER_MS).unref();
    },
    ask<Path extends AddressPath>(path: Path, params: ParamsAt<Path>): Promise<unknown> {
      worker ??= start();
      const request: Request = { number: asked++, path, params };
      const answer = Promise.withResolvers<unknown>();
      pending.set(request.number, answer);
      worker.postMessage(request);
      return answer.promise;
    },
    async close() {
      isClosed = true;
      await worker?.terminate();
    },
  };
}

function errorOf({ code, message, stack }: NonNullable<Reply['error']>): Error {
  if (code !== null) return new KrisisError(message, { code });
  const fault = new Error(message);
  fault.stack = stack;
  return fault;
}
