import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { counted, durationText, KrisisError, plain, type TextRequest } from '../core/index.ts';
import type { ApiOptions } from '../models/api/api-options.ts';
import { isApiModel } from '../models/api/providers/providers.ts';
import type { CallRef, Transport } from '../models/backend.ts';
import { ownError, Withdrawn } from '../models/backend-error.ts';
import { requireSecret } from './cipher.ts';
import { createClaim, createPermit, type Permit } from './claims.ts';
import { type Connection, connectFor, loadPackages, queuePlace } from './connect.ts';
import { followEvents, jobsOfRun, lastEventId, lookUp, readData, replaceData } from './jobs.ts';
import { type Answer, createCodec, createQuestion, readReply } from './message.ts';
import { jobId, KEEP_SECONDS, PREFIX, queueName, TIMING } from './protocol.ts';
import { createRegistry, type KnownWorker } from './registry.ts';

/** For each place of a worker so many calls are in the queue: it never waits for the next. */
const PER_PLACE = 2;
const MIN_PLACES = 8;
const PRIORITIES = { high: 1, low: 10 } as const;
/** A call makes up to four messages, and all runs of the queue share them. */
const MESSAGES = { min: 1000, perCall: 10 };
const MAX_LOOKED_UP = 1000;
/** A call that ends without a reply, because its worker died or the Redis lost it, is put in the queue this often. */
const MAX_SENDS = 4;
const LEAVE_MS = 5000;

/** How a run uses a queue. */
export interface LaneOptions {
  /** The address of the Redis: `redis://` or `rediss://`. */
  readonly url: string;
  /** The model that workers are asked for. */
  readonly model: string;
  /** How the model is asked. */
  readonly api: ApiOptions;
  /** Encrypts questions and answers; workers have the same. */
  readonly secret: string;
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
  readonly timing?: Partial<typeof TIMING> | undefined;
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
  readonly request: TextRequest;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
  lookedAt: number;
  /** Whether adding it to the queue has ended. Until then it is not missing there. */
  isAdded: boolean;
  nSends: number;
  /** The permit of the question that is in the queue; null where it is not known. */
  permit: Permit | null;
}

/** Checks that a queue may be used for the data at hand, before anything is sent. */
export function checkLane({ url, model, secret, allow = null }: LaneOptions): void {
  const place = queuePlace(url);
  requireSecret(secret);
  if (!isApiModel(model))
    throw new KrisisError(`${model} is not asked through a queue: only models behind an API are`, {
      code: 'ERR_QUEUE_MODEL',
      value: model,
    });
  if (allow !== null && !place.isLoopback && !place.isEncrypted)
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
  return connectFor(options.url, (connection) => createLane(options, connection), options.onNotice);
}

async function createLane(options: LaneOptions, connection: Connection): Promise<Lane> {
  const { model, secret, allow = null, priority, onNotice = () => {}, waitSeconds = 600 } = options;
  const timing = { ...TIMING, ...options.timing };
  const { Queue } = await loadPackages();
  const name = queueName(model, secret);
  const registry = createRegistry(connection, secret);
  const claim = createClaim(connection);
  const coordinator = randomUUID();
  const queue = new Queue(name, {
    connection,
    prefix: PREFIX,
    streams: { events: { maxLen: MESSAGES.min } },
  });
  queue.on('error', () => {});
  const listening = connection.duplicate();
  listening.on('error', () => {});

  const pending = new Map<string, Pending>();
  const codecs = new Map<string, ReturnType<typeof createCodec>>();
  const codecOf = (run: string) => {
    const codec = codecs.get(run) ?? createCodec(secret, name, run);
    codecs.set(run, codec);
    return codec;
  };
  /** Jobs that an earlier process of a run left: their results are taken, not asked for again. */
  const leftOver = new Map<string, Promise<Set<string>>>();
  const knownWorkers = new Map<string, KnownWorker>();
  let live: readonly KnownWorker[] = [];
  let places = MIN_PLACES;
  let lastLive = performance.now();
  let isAnnounced = false;
  let stopped: Error | null = null;
  let nUnreadable = 0;
  const ignoredEntries = new Set<string>();

  /** Settles a call with the result of a worker. Returns whether it could be read: anyone may write to the Redis. */
  const settle = (id: string, text: string): boolean => {
    const entry = pending.get(id);
    // Results of other runs are not even opened.
    if (entry === undefined) return true;
    try {
      const answer = codecOf(entry.run).readAnswer(JSON.parse(text), id);
      pending.delete(id);
      entry.resolve(answer);
      return true;
    } catch {
      nUnreadable += 1;
      return false;
    }
  };
  const fail = (id: string) => {
    const entry = pending.get(id);
    pending.delete(id);
    entry?.reject(
      ownError(
        'network',
        `${model}: no worker returned a reply to the call; the messages of the workers may say why`,
      ),
    );
  };
  const createJob = (id: string, entry: Pending) => {
    const permit = createPermit(timing.lifetimeMs);
    entry.permit = permit;
    const question = createQuestion(entry.request, options.api, allow, permit);
    return {
      name: 'call',
      data: { run: entry.run, question: codecOf(entry.run).question(question, id) },
      opts: {
        jobId: id,
        attempts: 1,
        removeOnComplete: { age: KEEP_SECONDS },
        removeOnFail: { age: KEEP_SECONDS },
        ...(priority && { priority: PRIORITIES[priority] }),
      },
    };
  };

  // Calls of one turn of the event loop are added, and removed, together.
  const adding = inTurns<string>(async (ids) => {
    const entries = ids.flatMap((id) => {
      const entry = pending.get(id);
      return entry === undefined ? [] : [{ id, entry }];
    });
    for (const { entry } of entries) entry.nSends += 1;
    try {
      if (entries.length > 0) await queue.addBulk(entries.map(({ id, entry }) => createJob(id, entry)));
    } finally {
      for (const { entry } of entries) entry.isAdded = true;
    }
  });
  const removing = inTurns<string>(async (ids) => {
    await Promise.all(ids.map((id) => queue.remove(id).catch(() => 0)));
  });
  /** Uses up the permit of a question that is withdrawn or replaced, so that no worker asks it later. Resolves to false if a worker has begun it. */
  const revoke = async ({ permit }: Pending) => permit === null || claim(permit);
  const revoking = inTurns<Pending>(async (entries) => {
    await Promise.all(entries.map(revoke));
  });

  /** Puts a call into the queue again that ended there without a reply, unless a worker still has it. */
  const resend = async (id: string, entry: Pending) => {
    entry.isAdded = false;
    const nRemoved = await queue.remove(id).catch(() => 0);
    if (nRemoved === 0) entry.isAdded = true;
    else if (entry.nSends >= MAX_SENDS) fail(id);
    else {
      await revoke(entry).catch(() => false);
      adding(id);
    }
  };
  /** Gives a call that has waited for long a new lifetime, at its place in the queue. */
  const renew = async (id: string, entry: Pending) => {
    if (entry.permit !== null && entry.permit.expires - Date.now() > timing.lifetimeMs / 2) return;
    if (await revoke(entry)) await replaceData(connection, name, id, createJob(id, entry).data);
  };
  const look = async (ids: readonly string[]) => {
    if (ids.length === 0) return;
    const states = await lookUp(connection, name, ids);
    await Promise.all(
      ids.map(async (id, i) => {
        const entry = pending.get(id);
        const state = states[i]!;
        if (!entry?.isAdded) return;
        if (state.kind === 'open') await renew(id, entry);
        else if (state.kind !== 'finished' || !settle(id, state.text)) await resend(id, entry);
      }),
    );
  };
  /** Every call that waits is looked up this often, so a lost message costs 15 s at most, whether or not it holds the last place: a run that stands still needs no rule of its own. */
  const lookAtOld = async (age: number) => {
    const now = performance.now();
    const old = [...pending].filter(([, { lookedAt }]) => now - lookedAt >= age);
    for (const [, entry] of old) entry.lookedAt = now;
    for (let i = 0; i < old.length; i += MAX_LOOKED_UP)
      await look(old.slice(i, i + MAX_LOOKED_UP).map(([id]) => id));
  };
  const stop = (error: Error) => {
    stopped = error;
    for (const [id, entry] of pending) {
      pending.delete(id);
      revoking(entry);
      removing(id);
      entry.reject(error);
    }
  };

  const beat = async () => {
    const nRuns = await registry.sayRun(name, coordinator);
    const { workers: all, ignored } = await registry.listWorkers();
    for (const id of ignored) ignoredEntries.add(id);
    live = all.filter((worker) => worker.isLive && worker.queue === name);
    for (const worker of live) knownWorkers.set(worker.id, worker);
    const nPlaces = live.reduce((sum, worker) => sum + worker.places, 0);
    places = Math.max(MIN_PLACES, Math.ceil((PER_PLACE * nPlaces) / nRuns));
    await connection.hset(
      `${PREFIX}:${name}:meta`,
      'opts.maxLenEvents',
      MESSAGES.min + MESSAGES.perCall * places * nRuns,
    );
    if (live.length === 0) await giveUpInterrupted();
    checkWorkers(all, ignored.length);
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
  const checkWorkers = (all: readonly KnownWorker[], nIgnored: number) => {
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
          : nIgnored > 0
            ? `; ${counted(nIgnored, 'worker')} on this Redis may have another secret`
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
  const lastId = await lastEventId(connection, name);
  await beat();
  const events = followEvents(listening, name, lastId, ({ event, jobId: id, returnvalue }) => {
    if (id === undefined || !pending.has(id)) return;
    if (event === 'completed') settle(id, String(returnvalue));
    // The message alone proves nothing.
    else if (event === 'failed') void look([id]).catch(() => {});
  });
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
    const ids = leftOver.get(run) ?? jobsOfRun(queue, run).then((jobs) => new Set(jobs));
    leftOver.set(run, ids);
    return ids;
  };

  const transport: Transport = async (request, call) => {
    if (stopped !== null) throw stopped;
    const run = call?.run ?? coordinator;
    const ref = call ?? { key: randomUUID(), attempt: 0 };
    const id = jobId(run, ref.key, ref.attempt);
    const isThere = (await openJobs(run)).delete(id);
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const entry: Pending = {
      ...{ call: ref, run, request, resolve, reject, lookedAt: performance.now() },
      ...{ isAdded: isThere, nSends: 0, permit: null },
    };
    pending.set(id, entry);
    if (isThere) void takeUp(id, entry).catch(() => {});
    else adding(id);
    const withdraw = () => void takeBack(id);
    ref.signal?.addEventListener('abort', withdraw, { once: true });
    if (ref.signal?.aborted) withdraw();
    try {
      const answer = await promise;
      const { worker, seconds } = answer;
      ref.made?.({ via: 'queue', worker, seconds, entered: () => removing(id) });
      return readReply(answer);
    } catch (error) {
      if (!(error instanceof Withdrawn)) ref.made?.({ via: 'queue', entered: () => removing(id) });
      throw error;
    } finally {
      ref.signal?.removeEventListener('abort', withdraw);
    }
  };
  /** Takes up a call that an earlier process of the run left in the queue. */
  const takeUp = async (id: string, entry: Pending) => {
    try {
      const { question } = JSON.parse((await readData(connection, name, id)) ?? '');
      entry.permit = codecOf(entry.run).readQuestion(question, id);
    } catch {}
    await look([id]);
  };
  /** Takes a call back that no worker has begun. One that is under way is waited for. */
  const takeBack = async (id: string) => {
    await adding.done();
    const entry = pending.get(id);
    if (entry === undefined || !(await revoke(entry).catch(() => false))) return;
    const nRemoved = await queue.remove(id).catch(() => 0);
    // Where the permit is not known, only the lock of the job shows that a worker has begun it.
    if (!pending.has(id) || (nRemoved === 0 && entry.permit === null)) return;
    pending.delete(id);
    entry.reject(new Withdrawn('withdrawn before a worker began it'));
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
      if (nUnreadable > 0)
        onNotice(
          `${model}: ${nUnreadable === 1 ? '1 unreadable message on the queue was' : `${nUnreadable} unreadable messages on the queue were`} ignored`,
        );
      const nEntries = ignoredEntries.size;
      if (nEntries > 0)
        onNotice(
          `${model}: ${nEntries === 1 ? '1 entry in the list of workers does not fit the secret and was' : `${nEntries} entries in the list of workers do not fit the secret and were`} ignored`,
        );
      const leave = async () => {
        await adding.done();
        await revoking.done();
        await removing.done();
        for (const run of leftOver.keys())
          for (const id of await jobsOfRun(queue, run)) await queue.remove(id).catch(() => 0);
        // Messages hold replies. The last run takes them along.
        if ((await registry.forgetRun(name, coordinator)) === 0)
          await connection.xtrim(`${PREFIX}:${name}:events`, 'MAXLEN', 0);
      };
      // What a Redis that is away cannot remove expires there.
      await Promise.race([leave().catch(() => {}), sleep(LEAVE_MS, undefined, { ref: false })]);
      events.stop();
      await queue.close();
      connection.disconnect();
    },
  };
}

/**
 * Gathers what comes in one turn of the event loop, and works on it together. Errors are left to later looks: what was not added is
 * added then, and what was not removed expires.
 */
function inTurns<T>(work: (items: readonly T[]) => Promise<void>) {
  let items: T[] = [];
  let last: Promise<void> = Promise.resolve();
  const flush = () => {
    const gathered = items;
    items = [];
    if (gathered.length === 0) return;
    const current = work(gathered).catch(() => {});
    last = Promise.all([last, current]).then(() => {});
  };
  const gather = (item: T) => {
    if (items.push(item) === 1) setImmediate(flush);
  };
  /** Resolves when everything gathered so far is done. */
  const done = async () => {
    flush();
    await last;
  };
  return Object.assign(gather, { done });
}
