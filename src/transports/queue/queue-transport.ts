import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Queue } from 'bullmq';
import { KrisisError } from '../../core/errors.ts';
import { plain } from '../../core/plain-text.ts';
import type { TextRequest } from '../../core/text-request.ts';
import { counted, durationText } from '../../core/wording.ts';
import type { ApiOptions } from '../../models/api/api-options.ts';
import { isApiModel } from '../../models/api/providers/providers.ts';
import type { CallRef, Transport as Send } from '../../models/backend.ts';
import { ownError, Withdrawn } from '../../models/backend-error.ts';
import { DIRECT_TRANSPORT } from '../direct/direct-transport.ts';
import type { Transport } from '../transport.ts';
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
export interface QueueOptions {
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

/** Calls to one model through a queue: the backend made with these settings sends them to workers, one at a time. */
export interface QueueTransport extends Transport {
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
export function checkQueue({ url, model, secret, allow = null }: QueueOptions): void {
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
export async function openQueue(options: QueueOptions): Promise<QueueTransport> {
  checkQueue(options);
  return connectFor(options.url, (connection) => createQueueTransport(options, connection), options.onNotice);
}

async function createQueueTransport(options: QueueOptions, connection: Connection): Promise<QueueTransport> {
  const packages = await loadPackages();
  const name = queueName(options.model, options.secret);
  const queue = new packages.Queue(name, {
    connection,
    prefix: PREFIX,
    streams: { events: { maxLen: MESSAGES.min } },
  });
  queue.on('error', () => {});
  const calls = new QueuedCalls(options, connection, queue, name);
  await calls.begin();
  return {
    ...DIRECT_TRANSPORT,
    api: {
      ...options.api,
      transport: calls.send,
      queue: { places: () => calls.places, workers: () => calls.workers() },
    },
    close: () => calls.close(),
  };
}

/** The calls of a run to one model that are in the queue, and the workers that take them. */
class QueuedCalls {
  readonly #options: QueueOptions;
  readonly #timing: typeof TIMING;
  readonly #connection: Connection;
  readonly #listening: Connection;
  readonly #queue: Queue;
  readonly #name: string;
  readonly #registry: ReturnType<typeof createRegistry>;
  readonly #claim: ReturnType<typeof createClaim>;
  readonly #coordinator = randomUUID();
  readonly #waitSeconds: number;
  readonly #pending = new Map<string, Pending>();
  readonly #codecs = new Map<string, ReturnType<typeof createCodec>>();
  /** Jobs that an earlier process of a run left: their results are taken, not asked for again. */
  readonly #leftOver = new Map<string, Promise<Set<string>>>();
  readonly #knownWorkers = new Map<string, KnownWorker>();
  #live: readonly KnownWorker[] = [];
  #lastLive = performance.now();
  #isAnnounced = false;
  #isBeating = false;
  #stopped: Error | null = null;
  #nUnreadable = 0;
  readonly #ignoredEntries = new Set<string>();
  #events: { stop(): void } | null = null;
  #timers: NodeJS.Timeout[] = [];
  places = MIN_PLACES;

  constructor(options: QueueOptions, connection: Connection, queue: Queue, name: string) {
    this.#options = options;
    this.#timing = { ...TIMING, ...options.timing };
    this.#waitSeconds = options.waitSeconds ?? 600;
    this.#connection = connection;
    this.#queue = queue;
    this.#name = name;
    this.#registry = createRegistry(connection, options.secret);
    this.#claim = createClaim(connection);
    this.#listening = connection.duplicate();
    this.#listening.on('error', () => {});
  }

  /** Looks for workers, and follows the messages of the queue from now on. */
  async begin(): Promise<void> {
    const connection = this.#connection;
    // A Redis that comes back may have lost the last second, and its messages.
    connection.on('ready', () => void this.#lookAtOld(0).catch(() => {}));
    const lastId = await lastEventId(connection, this.#name);
    await this.#beat();
    this.#events = followEvents(this.#listening, this.#name, lastId, ({ event, jobId: id, returnvalue }) => {
      if (id === undefined || !this.#pending.has(id)) return;
      if (event === 'completed') this.#settle(id, String(returnvalue));
      // The message alone proves nothing.
      else if (event === 'failed') void this.#look([id]).catch(() => {});
    });
    const { beatMs } = this.#timing;
    this.#timers = [
      setInterval(() => this.#beatOnce(), beatMs),
      setInterval(() => this.#watch(), Math.min(beatMs, this.#waitSeconds * 500)),
    ];
  }

  workers() {
    return [...this.#knownWorkers.values()].map((worker) => ({ name: worker.name, ...worker.destination }));
  }

  /** Puts a call into the queue, and waits for the reply of a worker. */
  readonly send: Send = async (request, call) => {
    if (this.#stopped !== null) throw this.#stopped;
    const run = call?.run ?? this.#coordinator;
    const ref = call ?? { key: randomUUID(), attempt: 0 };
    const id = jobId(run, ref.key, ref.attempt);
    const isThere = (await this.#openJobs(run)).delete(id);
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const entry: Pending = {
      ...{ call: ref, run, request, resolve, reject, lookedAt: performance.now() },
      ...{ isAdded: isThere, nSends: 0, permit: null },
    };
    this.#pending.set(id, entry);
    if (isThere) void this.#takeUp(id, entry).catch(() => {});
    else this.#adding(id);
    const withdraw = () => void this.#takeBack(id);
    ref.signal?.addEventListener('abort', withdraw, { once: true });
    if (ref.signal?.aborted) withdraw();
    try {
      const answer = await promise;
      const { worker, seconds } = answer;
      ref.made?.({ via: 'queue', worker, seconds, entered: () => this.#removing(id) });
      return readReply(answer);
    } catch (error) {
      if (!(error instanceof Withdrawn)) ref.made?.({ via: 'queue', entered: () => this.#removing(id) });
      throw error;
    } finally {
      ref.signal?.removeEventListener('abort', withdraw);
    }
  };

  /** Takes back what is left, and leaves. */
  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    this.#tellIgnored();
    // What a Redis that is away cannot remove expires there.
    await Promise.race([this.#leave().catch(() => {}), sleep(LEAVE_MS, undefined, { ref: false })]);
    this.#events?.stop();
    await this.#queue.close();
    this.#connection.disconnect();
  }

  #tell(text: string): void {
    this.#options.onNotice?.(`${this.#options.model}: ${text}`);
  }

  #tellIgnored(): void {
    const nUnreadable = this.#nUnreadable;
    if (nUnreadable > 0)
      this.#tell(
        `${nUnreadable === 1 ? '1 unreadable message on the queue was' : `${nUnreadable} unreadable messages on the queue were`} ignored`,
      );
    const nEntries = this.#ignoredEntries.size;
    if (nEntries > 0)
      this.#tell(
        `${nEntries === 1 ? '1 entry in the list of workers does not fit the secret and was' : `${nEntries} entries in the list of workers do not fit the secret and were`} ignored`,
      );
  }

  async #leave(): Promise<void> {
    await this.#adding.done();
    await this.#revoking.done();
    await this.#removing.done();
    for (const run of this.#leftOver.keys())
      for (const id of await jobsOfRun(this.#queue, run)) await this.#queue.remove(id).catch(() => 0);
    // Messages hold replies. The last run takes them along.
    if ((await this.#registry.forgetRun(this.#name, this.#coordinator)) === 0)
      await this.#connection.xtrim(`${PREFIX}:${this.#name}:events`, 'MAXLEN', 0);
  }

  #codecFor(run: string) {
    const codec = this.#codecs.get(run) ?? createCodec(this.#options.secret, this.#name, run);
    this.#codecs.set(run, codec);
    return codec;
  }

  #openJobs(run: string): Promise<Set<string>> {
    const ids = this.#leftOver.get(run) ?? jobsOfRun(this.#queue, run).then((jobs) => new Set(jobs));
    this.#leftOver.set(run, ids);
    return ids;
  }

  /** Settles a call with the result of a worker. Returns whether it could be read: anyone may write to the Redis. */
  #settle(id: string, text: string): boolean {
    const entry = this.#pending.get(id);
    // Results of other runs are not even opened.
    if (entry === undefined) return true;
    try {
      const answer = this.#codecFor(entry.run).readAnswer(JSON.parse(text), id);
      this.#pending.delete(id);
      entry.resolve(answer);
      return true;
    } catch {
      this.#nUnreadable += 1;
      return false;
    }
  }

  #fail(id: string): void {
    const entry = this.#pending.get(id);
    this.#pending.delete(id);
    entry?.reject(
      ownError(
        'network',
        `${this.#options.model}: no worker returned a reply to the call; the messages of the workers may say why`,
      ),
    );
  }

  #createJob(id: string, entry: Pending) {
    const { api, allow = null, priority } = this.#options;
    const permit = createPermit(this.#timing.lifetimeMs);
    entry.permit = permit;
    const question = createQuestion(entry.request, api, allow, permit);
    return {
      name: 'call',
      data: { run: entry.run, question: this.#codecFor(entry.run).question(question, id) },
      opts: {
        jobId: id,
        attempts: 1,
        removeOnComplete: { age: KEEP_SECONDS },
        removeOnFail: { age: KEEP_SECONDS },
        ...(priority && { priority: PRIORITIES[priority] }),
      },
    };
  }

  // Calls of one turn of the event loop are added, and removed, together.
  readonly #adding = inTurns<string>(async (ids) => {
    const entries = ids.flatMap((id) => {
      const entry = this.#pending.get(id);
      return entry === undefined ? [] : [{ id, entry }];
    });
    for (const { entry } of entries) entry.nSends += 1;
    try {
      if (entries.length > 0)
        await this.#queue.addBulk(entries.map(({ id, entry }) => this.#createJob(id, entry)));
    } finally {
      for (const { entry } of entries) entry.isAdded = true;
    }
  });
  readonly #removing = inTurns<string>(async (ids) => {
    await Promise.all(ids.map((id) => this.#queue.remove(id).catch(() => 0)));
  });
  readonly #revoking = inTurns<Pending>(async (entries) => {
    await Promise.all(entries.map((entry) => this.#revoke(entry)));
  });

  /** Uses up the permit of a question that is withdrawn or replaced, so that no worker asks it later. Resolves to false if a worker has begun it. */
  async #revoke({ permit }: Pending): Promise<boolean> {
    return permit === null || this.#claim(permit);
  }

  /** Puts a call into the queue again that ended there without a reply, unless a worker still has it. */
  async #resend(id: string, entry: Pending): Promise<void> {
    entry.isAdded = false;
    const nRemoved = await this.#queue.remove(id).catch(() => 0);
    if (nRemoved === 0) entry.isAdded = true;
    else if (entry.nSends >= MAX_SENDS) this.#fail(id);
    else {
      await this.#revoke(entry).catch(() => false);
      this.#adding(id);
    }
  }

  /** Gives a call that has waited for long a new lifetime, at its place in the queue. */
  async #renew(id: string, entry: Pending): Promise<void> {
    if (entry.permit !== null && entry.permit.expires - Date.now() > this.#timing.lifetimeMs / 2) return;
    if (await this.#revoke(entry))
      await replaceData(this.#connection, this.#name, id, this.#createJob(id, entry).data);
  }

  async #look(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    const states = await lookUp(this.#connection, this.#name, ids);
    await Promise.all(
      ids.map(async (id, i) => {
        const entry = this.#pending.get(id);
        const state = states[i]!;
        if (!entry?.isAdded) return;
        if (state.kind === 'open') await this.#renew(id, entry);
        else if (state.kind !== 'finished' || !this.#settle(id, state.text)) await this.#resend(id, entry);
      }),
    );
  }

  /** Every call that waits is looked up this often, so a lost message costs 15 s at most, whether or not it holds the last place: a run that stands still needs no rule of its own. */
  async #lookAtOld(age: number): Promise<void> {
    const now = performance.now();
    const old = [...this.#pending].filter(([, { lookedAt }]) => now - lookedAt >= age);
    for (const [, entry] of old) entry.lookedAt = now;
    for (let i = 0; i < old.length; i += MAX_LOOKED_UP)
      await this.#look(old.slice(i, i + MAX_LOOKED_UP).map(([id]) => id));
  }

  #stop(error: Error): void {
    this.#stopped = error;
    for (const [id, entry] of this.#pending) {
      this.#pending.delete(id);
      this.#revoking(entry);
      this.#removing(id);
      entry.reject(error);
    }
  }

  async #beatOnce(): Promise<void> {
    // While Redis is away, one beat waits for it, not one more every few seconds.
    if (this.#isBeating) return;
    this.#isBeating = true;
    await this.#beat().catch(() => {});
    this.#isBeating = false;
  }

  async #beat(): Promise<void> {
    const nRuns = await this.#registry.sayRun(this.#name, this.#coordinator);
    const { workers: all, ignored } = await this.#registry.listWorkers();
    for (const id of ignored) this.#ignoredEntries.add(id);
    this.#live = all.filter((worker) => worker.isLive && worker.queue === this.#name);
    for (const worker of this.#live) this.#knownWorkers.set(worker.id, worker);
    const nPlaces = this.#live.reduce((sum, worker) => sum + worker.places, 0);
    this.places = Math.max(MIN_PLACES, Math.ceil((PER_PLACE * nPlaces) / nRuns));
    await this.#connection.hset(
      `${PREFIX}:${this.#name}:meta`,
      'opts.maxLenEvents',
      MESSAGES.min + MESSAGES.perCall * this.places * nRuns,
    );
    if (this.#live.length === 0) await this.#giveUpInterrupted();
    this.#checkWorkers(all, ignored.length);
    await this.#lookAtOld(this.#timing.lookAfterMs);
  }

  /** An interrupted run waits for its calls in flight. When all workers are gone, no reply will come. */
  async #giveUpInterrupted(): Promise<void> {
    const ids = [...this.#pending].flatMap(([id, { call }]) => (call.signal?.aborted ? [id] : []));
    if (ids.length === 0) return;
    this.#isAnnounced = true;
    await this.#look(ids);
    for (const id of ids) this.#fail(id);
  }

  #checkWorkers(all: readonly KnownWorker[], nIgnored: number): void {
    if (this.#live.length > 0) {
      this.#isAnnounced = false;
      this.#checkSameModel();
      return;
    }
    const others = all.filter((worker) => worker.isLive);
    const speakers = others.filter((worker) => worker.model === this.#options.model);
    const why =
      speakers.length > 0
        ? `; ${speakers.map((worker) => `${worker.name} has version ${worker.version}`).join(', ')}, which speaks another protocol`
        : others.length > 0
          ? `; those on this queue serve ${[...new Set(others.map((worker) => worker.model))].join(', ')}`
          : nIgnored > 0
            ? `; ${counted(nIgnored, 'worker')} on this Redis may have another secret`
            : '';
    if (!this.#isAnnounced) this.#tell(`waiting for a worker${why}`);
    this.#isAnnounced = true;
  }

  /** Stops where the servers of the workers say different things about the model. */
  #checkSameModel(): void {
    const told = new Map(
      this.#live.flatMap(({ name, serves }) => (serves === null ? [] : [[JSON.stringify(serves), name]])),
    );
    if (told.size <= 1 || this.#options.mixedWorkers) return;
    const list = [...told].map(([serves, who]) => `${who} ${plain(serves)}`).join(', ');
    this.#stop(
      ownError(
        'bad_request',
        `${this.#options.model}: workers serve different models under this name: ${list}. Allow it with mixedWorkers`,
      ),
    );
  }

  #watch(): void {
    const now = performance.now();
    const isConnected = this.#connection.status === 'ready';
    if (this.#live.length > 0 && isConnected) this.#lastLive = now;
    if ((now - this.#lastLive) / 1000 < this.#waitSeconds || this.#stopped !== null) return;
    const waited = durationText(this.#waitSeconds);
    this.#stop(
      ownError(
        'unreachable',
        isConnected
          ? `${this.#options.model}: no worker for ${waited}. Start one, then repeat the run to continue it`
          : `${this.#options.model}: no connection to the queue for ${waited}. Repeat the run to continue it`,
      ),
    );
  }

  /** Takes up a call that an earlier process of the run left in the queue. */
  async #takeUp(id: string, entry: Pending): Promise<void> {
    try {
      const { question } = JSON.parse((await readData(this.#connection, this.#name, id)) ?? '');
      entry.permit = this.#codecFor(entry.run).readQuestion(question, id);
    } catch {}
    await this.#look([id]);
  }

  /** Takes a call back that no worker has begun. One that is under way is waited for. */
  async #takeBack(id: string): Promise<void> {
    await this.#adding.done();
    const entry = this.#pending.get(id);
    if (entry === undefined || !(await this.#revoke(entry).catch(() => false))) return;
    const nRemoved = await this.#queue.remove(id).catch(() => 0);
    // Where the permit is not known, only the lock of the job shows that a worker has begun it.
    if (!this.#pending.has(id) || (nRemoved === 0 && entry.permit === null)) return;
    this.#pending.delete(id);
    entry.reject(new Withdrawn('withdrawn before a worker began it'));
  }
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
