import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Job, Queue, Worker } from 'bullmq';
import { KrisisError } from '../../core/errors.ts';
import type { TextRequest } from '../../core/text-request.ts';
import { apiBackend } from '../../models/api/api-backend.ts';
import type { ApiOptions } from '../../models/api/api-options.ts';
import { keyFingerprint } from '../../models/api/provider-info.ts';
import { allowsEgress, egressName, isApiModel } from '../../models/api/providers/providers.ts';
import { asBackendError } from '../../models/as-backend-error.ts';
import type { Destination } from '../../models/backend.ts';
import { type BackendError, ownError } from '../../models/backend-error.ts';
import { createTurns } from './account-pace.ts';
import { requireSecret } from './cipher.ts';
import { createClaim } from './claims.ts';
import { type Connection, connect, loadPackages } from './connect.ts';
import { type Answer, createCodec, failedAnswer, type Question } from './message.ts';
import { KEEP_SECONDS, PREFIX, queueName, TIMING } from './protocol.ts';
import { createRegistry } from './registry.ts';

const DEFAULT_PLACES = 32;
/** A longer wait is the run's to decide on: the place of the worker is free for others meanwhile. */
const MAX_WAIT_SECONDS = 30;
const SWEEP_MS = 3_600_000;
const CHARACTERS_PER_TOKEN = 4;

/** What a worker serves, and how. */
export interface WorkerOptions {
  /** The address of the Redis: `redis://` or `rediss://`. */
  readonly url: string;
  /** The model, as runs name it. */
  readonly model: string;
  /** Its name in lists and run files. Default: the name of the machine and the number of the process. */
  readonly name?: string | undefined;
  /** Calls at the same time. Default: 32. */
  readonly concurrency?: number | undefined;
  /** Limits of the account, for all workers that call it. Default: none. */
  readonly requestsPerMinute?: number | undefined;
  readonly tokensPerMinute?: number | undefined;
  /** The address of the model. Default: the provider's own. */
  readonly baseUrl?: string | undefined;
  /** Decrypts questions and encrypts answers; runs have the same. */
  readonly secret: string;
  /** The version of the program. */
  readonly version: string;
  /** Told what a user should know. */
  readonly onNotice?: ((text: string) => void) | undefined;
  readonly timing?: Partial<typeof TIMING> | undefined;
}

/** A worker at work. */
export interface StartedWorker {
  readonly name: string;
  readonly destination: Destination;
  /** Seconds since it last had something to do. */
  idleSeconds(): number;
  /** Resolves when it has left. */
  readonly left: Promise<void>;
  /** Takes no more calls, finishes those under way, and leaves. */
  stop(): Promise<void>;
}

/** Starts a worker: takes calls of all runs that ask for its model through the queue, puts each to the model once, and returns the reply. Retries, budgets and parsing are the run's. */
export async function startWorker(options: WorkerOptions): Promise<StartedWorker> {
  const { url, model, secret, version, onNotice = () => {}, concurrency = DEFAULT_PLACES } = options;
  const timing = { ...TIMING, ...options.timing };
  requireSecret(secret);
  if (!isApiModel(model))
    throw new KrisisError(`${model} needs no worker: only models behind an API are asked through a queue`, {
      code: 'ERR_QUEUE_MODEL',
      value: model,
    });
  const sends = createSenders(options, concurrency);
  const { destination, address } = await sends({});
  const packages = await loadPackages();
  const { UnrecoverableError } = packages;
  const connection = await connect(url, onNotice);
  const name = options.name ?? `${hostname()}-${process.pid}`;
  const queue = queueName(model, secret);
  const registry = createRegistry(connection, secret);
  const claim = createClaim(connection);
  const counts = { busy: 0, done: 0, failed: 0, ignored: 0, rateLimits: 0 };
  const entry = {
    id: randomUUID(),
    name,
    model,
    queue,
    machine: hostname(),
    destination,
    places: concurrency,
    version,
    serves: await servedModel(destination, model.slice(model.indexOf('/') + 1), address),
  };
  const turns = createTurns(connection, toAccount(destination, keyFingerprint(model, options)), options);
  const left = Promise.withResolvers<void>();
  let lastActive = performance.now();

  const noticed = new Set<string>();
  const refuse = (why: keyof typeof REFUSALS) => {
    counts.ignored += 1;
    if (!noticed.has(why)) onNotice(`${name}: ignored a call on the queue that ${REFUSALS[why]}`);
    noticed.add(why);
    return new UnrecoverableError(why);
  };
  const work = async (job: Job): Promise<string> => {
    const read = readJob(job, secret, queue);
    if (read === null) throw refuse('unreadable');
    const { question, codec } = read;
    if (question.expires <= Date.now()) throw refuse('expired');
    if (!(await claim(question))) throw refuse('used');
    counts.busy += 1;
    const answer = await ask(question, sends, turns, { name, model }).finally(() => {
      counts.busy -= 1;
      lastActive = performance.now();
    });
    counts['ok' in answer ? 'done' : 'failed'] += 1;
    if ('fault' in answer && answer.fault === 'rate_limit') counts.rateLimits += 1;
    return codec.answer(answer, job.id!);
  };
  const worker = new packages.Worker(queue, work, { connection, name, concurrency, ...takingJobs(timing) });
  // Connections that are lost come back by themselves; a result that cannot be delivered is asked for again.
  worker.on('error', () => {});
  const jobs = new packages.Queue(queue, { connection, prefix: PREFIX, skipMetasUpdate: true });
  jobs.on('error', () => {});
  const buildLockKey = (id: string) => `${PREFIX}:${queue}:${id}:lock`;
  dropUnreadable(worker, jobs, (id) => {
    refuse('unreadable');
    return connection.del(buildLockKey(id));
  });
  const beat = () => registry.sayWorker({ ...entry, ...counts }).catch(() => {});
  const sweep = () => {
    for (const state of ['completed', 'failed'] as const)
      void jobs.clean(KEEP_SECONDS * 1000, 1000, state).catch(() => {});
  };
  await worker.waitUntilReady();
  await beat();
  sweep();
  const timers = [setInterval(beat, timing.beatMs), setInterval(sweep, SWEEP_MS)];

  let leaving: Promise<void> | null = null;
  const stop = (): Promise<void> => {
    leaving ??= (async () => {
      for (const timer of timers) clearInterval(timer);
      if (await isAway(connection, counts, timing.beatMs)) await worker.close(true);
      else {
        await worker.close();
        await registry.forgetWorker(entry.id).catch(() => {});
        await jobs.close();
      }
      connection.disconnect();
      if (counts.ignored > 0) onNotice(`${name}: ignored ${counts.ignored} of the calls on the queue`);
      left.resolve();
    })();
    return leaving;
  };
  return {
    name,
    destination,
    idleSeconds: () => (counts.busy > 0 ? 0 : (performance.now() - lastActive) / 1000),
    left: left.promise,
    stop,
  };
}

/** How jobs are taken from the queue. */
function takingJobs({ lockMs, stalledMs }: typeof TIMING) {
  return {
    prefix: PREFIX,
    lockDuration: lockMs,
    stalledInterval: stalledMs,
    // The run decides whether a call is made again, and gives it a new permit.
    maxStalledCount: 0,
    removeOnComplete: { age: KEEP_SECONDS },
    removeOnFail: { age: KEEP_SECONDS },
  };
}

/** BullMQ cannot fail a job whose stored JSON is broken, and hands it out again and again. */
function dropUnreadable(worker: Worker, jobs: Queue, onDrop: (id: string) => Promise<unknown>): void {
  worker.on('stalled', (id) => {
    jobs
      .getJob(id)
      .catch(async (error) => {
        if (!(error instanceof SyntaxError)) return;
        await onDrop(id);
        await jobs.remove(id);
      })
      .catch(() => {});
  });
}

/** Whether Redis does not answer until a little after the last call is done. Results cannot be delivered then, and another worker makes these calls again. */
async function isAway(
  connection: Connection,
  counts: { readonly busy: number },
  beatMs: number,
): Promise<boolean> {
  const until = performance.now() + beatMs;
  let isHeard = false;
  connection.ping().then(
    () => (isHeard = true),
    () => {},
  );
  while (!isHeard && (counts.busy > 0 || performance.now() < until)) await sleep(20);
  return !isHeard;
}

/** Whose waits and limits a worker shares: calls with one key to one host are of one account. Machines have their own 127.0.0.1. */
function toAccount({ host, loopback }: Destination, key: string | null): string {
  return [...(loopback ? [hostname()] : []), host, ...(key === null ? [] : [key])].join(' ');
}

/** Ways to the model, one for each set of settings that runs ask with. */
function createSenders({ model, baseUrl }: WorkerOptions, connections: number) {
  const create = async (options: ApiOptions) => {
    const settings = { ...options, connections, ...(baseUrl !== undefined && { baseUrl }) };
    const { transport, destination, parameters } = await apiBackend(model, settings);
    return {
      send: transport!,
      destination: destination!,
      /** The address of the model, given or from the environment; undefined where it is the provider's own. */
      address: typeof parameters?.base_url === 'string' ? parameters.base_url : undefined,
    };
  };
  const senders = new Map<string, ReturnType<typeof create>>();
  return (options: ApiOptions) => {
    const key = JSON.stringify(options);
    const sender = senders.get(key) ?? create(options);
    senders.set(key, sender);
    return sender;
  };
}

/** Why a call is not made. */
const REFUSALS = {
  unreadable: 'could not be read',
  expired: 'had expired; do the clocks of this machine and the run agree?',
  used: 'was made or withdrawn before',
} as const;

/** The question of a job; null where it cannot be read with this secret. */
function readJob(job: Job, secret: string, queue: string) {
  try {
    const { run, question } = job.data as { run: string; question: string };
    const codec = createCodec(secret, queue, run);
    return { question: codec.readQuestion(question, job.id!), codec };
  } catch {
    return null;
  }
}

/** Puts one question once. */
async function ask(
  question: Question,
  sends: ReturnType<typeof createSenders>,
  turns: ReturnType<typeof createTurns>,
  { name, model }: { readonly name: string; readonly model: string },
): Promise<Answer> {
  const { request, options, allow } = question;
  let started: number | null = null;
  const seconds = () => (started === null ? 0 : (performance.now() - started) / 1000);
  try {
    const { send, destination } = await sends(options as ApiOptions);
    const { host, loopback } = destination;
    if (allow !== null && !loopback && !allowsEgress(allow, destination))
      throw ownError(
        'bad_request',
        `${model}: the suite's data are protected, and the worker ${name} would send them to ${host}. Allow it with allowEgress: ['queue', '${egressName(destination)}']`,
      );
    const counted = estimateTokens(request);
    const later = await turns.take(counted, MAX_WAIT_SECONDS);
    if (later > 0)
      throw ownError('rate_limit', `${model}: ${host} asked to pause calls`, {
        retryAfterSeconds: later,
      });
    started = performance.now();
    const ok = await send(request as TextRequest);
    const answer = { ok, worker: name, seconds: seconds() };
    const { inputTokens, outputTokens } = ok.usage;
    // A reply is not lost where the count cannot be kept.
    if (inputTokens !== null) await turns.correct(counted, inputTokens + (outputTokens ?? 0)).catch(() => {});
    return answer;
  } catch (thrown) {
    const error = asOwnError(thrown, model);
    const answer = failedAnswer(error, name, seconds());
    if (started !== null && error.retryAfterSeconds !== null) await turns.wait(error.retryAfterSeconds);
    return answer;
  }
}

function asOwnError(thrown: unknown, model: string): BackendError {
  if (thrown instanceof KrisisError) return ownError('bad_request', thrown.message);
  return asBackendError(thrown, { backend: model, recordIds: [] });
}

/** An estimate, corrected by what the reply says. */
function estimateTokens({ messages, maxOutputTokens }: Question['request']): number {
  const characters = messages.reduce((sum, { content }) => sum + content.length, 0);
  return Math.ceil(characters / CHARACTERS_PER_TOKEN) + Math.min(maxOutputTokens ?? 0, 200);
}

const PATIENCE_MS = 5000;
/** What tells weights apart, where a server says it. */
const TELLING = ['root', 'max_model_len', 'quantization', 'parent', 'digest'];

/**
 * What a server of one's own says about the model that it serves; null where it says nothing. A name says little about weights: workers whose servers say different things are not mixed.
 */
async function servedModel(
  { provider }: Destination,
  id: string,
  baseUrl: string | undefined,
): Promise<Record<string, unknown> | null> {
  if (baseUrl === undefined || (provider !== 'openai-compatible' && provider !== 'ollama')) return null;
  try {
    const key = process.env.OPENAI_COMPATIBLE_API_KEY;
    const reply = await fetch(`${baseUrl.replace(/\/+$/, '')}/models`, {
      signal: AbortSignal.timeout(PATIENCE_MS),
      redirect: 'error',
      ...(provider === 'openai-compatible' && key && { headers: { authorization: `Bearer ${key}` } }),
    });
    const { data } = (await reply.json()) as { data?: readonly Record<string, unknown>[] };
    const found = data?.find((model) => model.id === id);
    const told = TELLING.filter((name) => found?.[name] != null).map((name) => [name, found![name]]);
    return told.length === 0 ? null : Object.fromEntries(told);
  } catch {
    return null;
  }
}
