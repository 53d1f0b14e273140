import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { KrisisError } from '../core/index.ts';
import { notFound } from './not-found.ts';
import { type ViewedPlace, type ViewedRuns, viewedRuns } from './viewed-runs.ts';

type Asked = 'run' | 'records' | 'record' | 'questions' | 'compare' | 'prepare';

export interface Question {
  readonly number: number;
  readonly name: Asked;
  readonly args: readonly unknown[];
}

export interface Reply {
  readonly number: number;
  readonly value?: unknown;
  readonly error?: {
    readonly kind: 'not_found' | 'refused' | 'fault';
    readonly message: string;
    readonly stack: string;
  };
}

type MaybeLater<F> = F extends (...args: infer Args) => infer T ? (...args: Args) => T | Promise<T> : never;

/** What a server asks for; an answer may come later. */
export type AnsweringRuns = {
  readonly [Name in 'runs' | Exclude<Asked, 'prepare'>]: MaybeLater<ViewedRuns[Name]>;
};

/** A reader looks at a run before filtering its records: the thread has time until then, and the page comes first. */
const PREPARE_AFTER_MS = 800;
const START_AFTER_MS = 200;

/**
 * Runs for a server that must never be busy: what a file says at once is answered here, and what needs all rows of a run is answered by a thread of its own, which also makes the index of a
 * run that somebody has opened.
 */
export function servedRuns(place: ViewedPlace): AnsweringRuns & { close(): Promise<void> } {
  const here = viewedRuns(place);
  const thread = runsThread(place);
  const prepareSoon = (id: string) =>
    setTimeout(() => thread.ask('prepare', [id]).catch(() => {}), PREPARE_AFTER_MS).unref();
  return {
    runs() {
      thread.startSoon();
      return here.runs();
    },
    run(id) {
      thread.startSoon();
      const known = here.atOnce.run(id);
      if (known === null) return thread.ask('run', [id]);
      prepareSoon(id);
      return known;
    },
    records(id, filter) {
      const known = here.atOnce.records(id, filter);
      return known ?? thread.ask('records', [id, filter]);
    },
    record: (id, record, repeat) =>
      here.atOnce.record(id, record, repeat) ?? thread.ask('record', [id, record, repeat]),
    questions: (id) => thread.ask('questions', [id]),
    compare: (a, b) => thread.ask('compare', [a, b]),
    async close() {
      here.close();
      await thread.close();
    },
  };
}

interface Pending {
  readonly resolve: (value: never) => void;
  readonly reject: (error: Error) => void;
}

/** Started soon after somebody looks, or at the first question, and anew after one that it did not survive. */
function runsThread(place: ViewedPlace) {
  const pending = new Map<number, Pending>();
  let worker: Worker | null = null;
  let asked = 0;
  let isStarting = false;
  let isClosed = false;

  const start = () => {
    // The sources run as they are, and so does the build.
    const file = new URL(`./runs-worker${extname(import.meta.url)}`, import.meta.url);
    const started = new Worker(file, { workerData: place });
    started.on('message', ({ number, value, error }: Reply) => {
      const waiting = pending.get(number);
      pending.delete(number);
      if (error === undefined) waiting?.resolve(value as never);
      else waiting?.reject(errorOf(error));
    });
    started.on('error', (error) => giveUp(started, error as Error));
    started.on('exit', () => giveUp(started, new Error('the thread that reads runs has ended')));
    return started;
  };
  const giveUp = (ended: Worker, error: Error) => {
    if (worker !== ended) return;
    worker = null;
    for (const [number, { reject }] of pending) {
      pending.delete(number);
      reject(error);
    }
  };

  return {
    /** Starting takes half a second, which the first click should not have to wait for. */
    startSoon() {
      if (worker !== null || isStarting) return;
      isStarting = true;
      setTimeout(() => {
        if (!isClosed) worker ??= start();
      }, START_AFTER_MS).unref();
    },
    ask<T>(name: Asked, args: readonly unknown[]): Promise<T> {
      worker ??= start();
      const question: Question = { number: asked++, name, args };
      return new Promise<T>((resolve, reject) => {
        pending.set(question.number, { resolve, reject });
        worker!.postMessage(question);
      });
    },
    async close() {
      isClosed = true;
      await worker?.terminate();
    },
  };
}

function errorOf({ kind, message, stack }: NonNullable<Reply['error']>): Error {
  if (kind === 'not_found') return notFound(message);
  if (kind === 'refused') return new KrisisError(message);
  const fault = new Error(message);
  fault.stack = stack;
  return fault;
}
