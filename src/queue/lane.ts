import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { durationText, KrisisError, plain } from '../core/index.ts';
import {
  type ApiOptions,
  type CallRef,
  isApiModel,
  ownError,
  type Transport,
  Withdrawn,
} from '../models/index.ts';
import { connect, loadPackages, queuePlace } from './connect.ts';
import { inTurns } from './in-turns.ts';
import { jobsOfRun } from './jobs-of-run.ts';
import { type Answer, createCodec, questionOf, replyIn } from './message.ts';
import { jobId, PREFIX, queueName } from './protocol.ts';
import { forgetRun, type KnownWorker, listWorkers, sayRun } from './registry.ts';
import { lastEventId, lookUp } from './results.ts';
import { checkSecret, createSeal } from './seal.ts';
import { KEEP_SECONDS, type QueueTiming, TIMING } from './timing.ts';

/** For each place of a worker so many calls are in the queue: it never waits for the next. */
const PER_PLACE = 2;
const FEWEST = 8;
const PRIORITIES = { high: 1, low: 10 } as const;
/** A call makes up to four messages, and all runs of the queue share them. */
const MESSAGES = { least: 1000, perCall: 10 };
const MOST_LOOKED_UP = 1000;
const LEAVE_MS = 5000;

/** How a run uses a queue. */
export interface LaneOptions {
  /** The address of the Redis: `redis://` or `rediss://`. */
  readonly url: string;
  /** The model that workers are asked for. */
  readonly model: string;
  /** How the model is asked. */
  readonly api: ApiOptions;
  /** Seals questions and answers, so that the Redis holds nothing readable. Required for protected data. Default: they are not sealed. */
  readonly secret?: string | undefined;
  /** Set for protected data: the providers that workers may send them to. Default: null, the data are not protected. */
  readonly allow?: readonly string[] | null | undefined;
  /** Whether the run goes before others (`high`) or after them (`low`). Default: calls are made in the order of arrival. */
  readonly priority?: 'high' | 'low' | undefined;
  /** How long the run waits while there is no worker. Default: 600. */
  readonly waitSeconds?: number | undefined;
  /** Whether workers may serve models about which their servers say different things. Default: false. */
  readonly mixedWorkers?: boolean | undefined;
  /** Told what a user should know. */
  readonly onNotice?: ((text: string) => void) | undefined;
  readonly timing?: Partial<QueueTiming> | undefined;
}

/** The way of one model's calls through a queue. */
export interface Lane {
  /** Settings for the model: pass them to `apiBackend`. */
  readonly api: ApiOptions;
  /** Takes back what is left, and leaves. */
  close(): Promise<void>;
}

interface Pending {
  readonly call: CallRef;
  readonly run: string;
  readonly job: () => { name: string; data: object; opts: object };
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
  lookedAt: number;
}

/** Checks that a queue may be used for the data at hand, before anything is sent. */
export function checkLane({ url, model, secret, allow = null }: LaneOptions): void {
  const place = queuePlace(url);
  checkSecret(secret);
  if (!isApiModel(model))
    throw new KrisisError(`${model} is not asked through a queue: only models behind an API are`, {
      code: 'ERR_QUEUE_MODEL',
      value: model,
    });
  if (allow === null) return;
  if (secret === undefined)
    throw new KrisisError(
      "the suite's data are protected, and a queue without a secret would hold them in readable form",
      {
        code: 'ERR_QUEUE_SECRET',
      },
    );
  if (!place.isLoopback && !place.isEncrypted)
    throw new KrisisError(
      `the suite's data are protected, and the connection to the queue at ${place.host} is not encrypted; use rediss://`,
      { code: 'ERR_QUEUE_NOT_ENCRYPTED', value: place.host },
    );
}

/**
 * Opens the way of a model's calls through a queue to workers. The run keeps its journal, its retries, its budget and its parsing; a worker puts one question once.
 *
 * @throws KrisisError when the queue cannot be reached, may not be used for these data, or has workers that serve different models.
 */
export async function openLane(options: LaneOptions): Promise<Lane> {
  checkLane(options);
  const { url, model, secret, allow = null, priority, onNotice = () => {}, waitSeconds = 600 } = options;
  const timing = { ...TIMING, ...options.timing };
  const { Queue, QueueEvents } = await loadPackages();
  const connection = await connect(url, onNotice);
  const name = queueName(model);
  const coordinator = randomUUID();
  const queue = new Queue(name, {
    connection,
    prefix: PREFIX,
    streams: { events: { maxLen: MESSAGES.least } },
  });
  queue.on('error', () => {});
  const listening = connection.duplicate();
  listening.on('error', () => {});
  const events = new QueueEvents(name, {
    connection: listening,
    prefix: PREFIX,
    lastEventId: await lastEventId(connection, name),
  });
  events.on('error', () => {});

  const pending = new Map<string, Pending>();
  const codecs = new Map<string, ReturnType<typeof createCodec>>();
  const codecOf = (run: string) => {
    let codec = codecs.get(run);
    if (codec === undefined) {
      codec = createCodec(secret === undefined ? null : createSeal(secret, run));
      codecs.set(run, codec);
    }
    return codec;
  };
  /** Jobs that an earlier process of a run left: their results are taken, not asked for again. */
  const leftOver = new Map<string, Promise<Set<string>>>();
  const knownWorkers = new Map<string, KnownWorker>();
  let live: readonly KnownWorker[] = [];
  let places = FEWEST;
  let lastLive = performance.now();
  let isAnnounced = false;
  let stopped: Error | null = null;

  const settle = (id: string, text: string) => {
    const found = pending.get(id);
    // Results of other runs are not even opened.
    if (found === undefined) return;
    pending.delete(id);
    try {
      found.resolve(codecOf(found.run).readAnswer(text, id));
    } catch {
      found.reject(
        ownError(
          'network',
          `${model}: the reply of a worker could not be read; its secret or version may differ`,
        ),
      );
    }
  };
  const fail = (id: string) => {
    const found = pending.get(id);
    pending.delete(id);
    found?.reject(ownError('network', `${model}: every worker that took the call died`));
  };
  events.on('completed', ({ jobId: id, returnvalue }) => settle(id, String(returnvalue)));
  events.on('failed', ({ jobId: id }) => fail(id));

  // Calls of one turn of the event loop are added, and removed, together.
  const adding = inTurns<string>(async (ids) => {
    const jobs = ids.flatMap((id) => pending.get(id)?.job() ?? []);
    if (jobs.length > 0) await queue.addBulk(jobs);
  });
  const removing = inTurns<string>(async (ids) => {
    await Promise.all(ids.map((id) => queue.remove(id).catch(() => 0)));
  });

  const look = async (ids: readonly string[]) => {
    if (ids.length === 0) return;
    const states = await lookUp(connection, name, ids);
    for (const [i, id] of ids.entries()) {
      const state = states[i]!;
      if (state.kind === 'finished') settle(id, state.text);
      else if (state.kind === 'failed') fail(id);
      else if (state.kind === 'missing' && pending.has(id)) adding(id);
    }
  };
  /** Every call that waits is looked up this often, so a lost message costs 15 s at most, whether or not it holds the last place: a run that stands still needs no rule of its own. */
  const lookAtOld = async (age: number) => {
    const now = performance.now();
    const old = [...pending].filter(([, { lookedAt }]) => now - lookedAt >= age);
    for (const [, entry] of old) entry.lookedAt = now;
    for (let i = 0; i < old.length; i += MOST_LOOKED_UP)
      await look(old.slice(i, i + MOST_LOOKED_UP).map(([id]) => id));
  };
  const stop = (error: Error) => {
    stopped = error;
    for (const [id, { reject }] of pending) {
      pending.delete(id);
      removing(id);
      reject(error);
    }
  };

  const beat = async () => {
    const nRuns = await sayRun(connection, name, coordinator);
    const all = await listWorkers(connection);
    live = all.filter((worker) => worker.isLive && worker.queue === name);
    for (const worker of live) knownWorkers.set(worker.id, worker);
    const nPlaces = live.reduce((sum, worker) => sum + worker.places, 0);
    places = Math.max(FEWEST, Math.ceil((PER_PLACE * nPlaces) / nRuns));
    await connection.hset(
      `${PREFIX}:${name}:meta`,
      'opts.maxLenEvents',
      MESSAGES.least + MESSAGES.perCall * places * nRuns,
    );
    if (live.length === 0) await giveUpInterrupted();
    checkWorkers(all);
    await lookAtOld(timing.lookAfterMs);
  };
  /** An interrupted run waits for its calls in flight. When all workers are gone, no reply will come. */
  const giveUpInterrupted = async () => {
    const ids = [...pending].flatMap(([id, { call }]) => (call.signal?.aborted ? [id] : []));
    if (ids.length === 0) return;
    isAnnounced = true;
    await look(ids);
    for (const id of ids) fail(id);
  };
  const checkWorkers = (all: readonly KnownWorker[]) => {
    if (live.length > 0) {
      isAnnounced = false;
      const told = new Map(
        live.flatMap(({ name, serves }) => (serves === null ? [] : [[JSON.stringify(serves), name]])),
      );
      if (told.size > 1 && !options.mixedWorkers)
        stop(
          ownError(
            'bad_request',
            `${model}: workers serve different models under this name: ${[...told].map(([serves, who]) => `${who} ${plain(serves)}`).join(', ')}. Allow it with mixedWorkers`,
          ),
        );
      return;
    }
    const others = all.filter((worker) => worker.isLive);
    const speakers = others.filter((worker) => worker.model === model);
    const why =
      speakers.length > 0
        ? `; ${speakers.map((worker) => `${worker.name} has version ${worker.version}`).join(', ')}, which speaks another protocol`
        : others.length > 0
          ? `; those on this queue serve ${[...new Set(others.map((worker) => worker.model))].join(', ')}`
          : '';
    if (!isAnnounced) onNotice(`${model}: waiting for a worker${why}`);
    isAnnounced = true;
  };
  const watch = () => {
    const now = performance.now();
    if (live.length > 0 && connection.status === 'ready') lastLive = now;
    const waited = (now - lastLive) / 1000;
    if (waited >= waitSeconds && stopped === null)
      stop(
        ownError(
          'unreachable',
          connection.status === 'ready'
            ? `${model}: no worker for ${durationText(waitSeconds)}. Start one, then repeat the run to continue it`
            : `${model}: no connection to the queue for ${durationText(waitSeconds)}. Repeat the run to continue it`,
        ),
      );
  };

  // A Redis that comes back may have lost the last second, and its messages.
  connection.on('ready', () => void lookAtOld(0).catch(() => {}));
  await beat();
  let isBeating = false;
  const beatOnce = async () => {
    // While Redis is away, one beat waits for it, not one more every few seconds.
    if (isBeating) return;
    isBeating = true;
    await beat().catch(() => {});
    isBeating = false;
  };
  const timers = [
    setInterval(beatOnce, timing.beatMs),
    setInterval(watch, Math.min(timing.beatMs, waitSeconds * 500)),
  ];

  const openJobs = (run: string) => {
    let found = leftOver.get(run);
    if (found === undefined) {
      found = jobsOfRun(queue, run).then((ids) => new Set(ids));
      leftOver.set(run, found);
    }
    return found;
  };

  const transport: Transport = async (request, call) => {
    if (stopped !== null) throw stopped;
    const run = call?.run ?? coordinator;
    const ref = call ?? { key: randomUUID(), attempt: 0 };
    const id = jobId(run, ref.key, ref.attempt);
    const isThere = (await openJobs(run)).delete(id);
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    pending.set(id, {
      call: ref,
      run,
      resolve,
      reject,
      lookedAt: performance.now(),
      job: () => ({
        name: 'call',
        data: {
          run,
          sealed: secret !== undefined,
          question: codecOf(run).question(questionOf(request, options.api, allow), id),
        },
        opts: {
          jobId: id,
          attempts: 1,
          removeOnComplete: { age: KEEP_SECONDS },
          removeOnFail: { age: KEEP_SECONDS },
          ...(priority && { priority: PRIORITIES[priority] }),
        },
      }),
    });
    if (isThere) void look([id]).catch(() => {});
    else adding(id);
    const withdraw = () => void takeBack(id);
    ref.signal?.addEventListener('abort', withdraw, { once: true });
    if (ref.signal?.aborted) withdraw();
    try {
      const answer = await promise;
      const { worker, seconds } = answer;
      ref.made?.({ via: 'queue', worker, seconds, entered: () => removing(id) });
      return replyIn(answer);
    } catch (error) {
      if (!(error instanceof Withdrawn)) ref.made?.({ via: 'queue', entered: () => removing(id) });
      throw error;
    } finally {
      ref.signal?.removeEventListener('abort', withdraw);
    }
  };
  /** Takes a call back that no worker has begun. One that is under way is waited for. */
  const takeBack = async (id: string) => {
    await adding.done();
    const nRemoved = await queue.remove(id).catch(() => 0);
    const found = pending.get(id);
    if (nRemoved === 0 || found === undefined) return;
    pending.delete(id);
    found.reject(new Withdrawn('withdrawn before a worker began it'));
  };

  return {
    api: {
      ...options.api,
      transport,
      queue: {
        places: () => places,
        workers: () =>
          [...knownWorkers.values()].map((worker) => ({ name: worker.name, ...worker.destination })),
      },
    },
    async close() {
      for (const timer of timers) clearInterval(timer);
      const leave = async () => {
        await adding.done();
        await removing.done();
        for (const run of leftOver.keys())
          for (const id of await jobsOfRun(queue, run)) await queue.remove(id).catch(() => 0);
        // Messages hold replies. The last run takes them along.
        if ((await forgetRun(connection, name, coordinator)) === 0)
          await connection.xtrim(`${PREFIX}:${name}:events`, 'MAXLEN', 0);
      };
      // What a Redis that is away cannot remove expires there.
      await Promise.race([leave().catch(() => {}), sleep(LEAVE_MS, undefined, { ref: false })]);
      await events.close();
      listening.disconnect();
      await queue.close();
      connection.disconnect();
    },
  };
}
