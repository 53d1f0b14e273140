import { hash, randomBytes } from 'node:crypto';
import { isFinalFault } from '../../core/fault.ts';
import { plainLine } from '../../core/plain-text.ts';
import type { TextReply, TokenUsage } from '../../core/text-request.ts';
import { counted } from '../../core/wording.ts';
import { capturedRequest, findBulkWire } from '../../models/api/bulk/find-bulk-wire.ts';
import type { BulkItem, BulkWire, Exchange, Retention, WireReply } from '../../models/api/bulk/wire.ts';
import type { Backend, CallRef } from '../../models/backend.ts';
import { type BackendError, ownError, summariseError } from '../../models/backend-error.ts';
import type { BulkItemEntry, BulkJob, BulkLedger } from '../../store/bulk-ledger.ts';
import { Deferred, type HeldBudget, type ModelTransport, RunStopped } from '../transport.ts';
import type { BulkOptions } from './bulk-options.ts';
import { withRetries } from './retries.ts';

const DEFAULT_MAX_REQUESTS = 10_000;
/** Requests that this many jobs left unanswered are asked by ordinary calls. */
const MAX_UNANSWERED = 3;
/** Stored with a job that carries no mark of ours: only such a job can turn out to be another's. */
const FOUND_BY_SIZE = 'found by time and size';
const TOO_MUCH_AT_ONCE = /token_limit_exceeded|queue|enqueued/i;
/** The longest reason of a provider that is stored and shown. */
const MAX_REASON = 200;
const DAY = 86_400;
/** Protected data leave as soon as they can; others survive a long weekend. */
const RETENTION = {
  protected: { input: 2 * DAY, output: DAY },
  other: { input: 14 * DAY, output: 14 * DAY },
};

/** Statuses with which a provider refuses a request for good. */
const REFUSED = [400, 401, 403, 404, 413, 422];

interface JobsSetup extends BulkOptions {
  readonly backend: Backend;
  readonly ledger: BulkLedger;
  readonly runId: string;
  readonly isProtected: boolean;
  /** Whether the run stores the texts of replies. */
  readonly isTextStored: boolean;
  readonly spending: HeldBudget | undefined;
  readonly signal: AbortSignal | undefined;
}

type Gathered = BulkItem & { readonly reservedUsd: number };
/**
 * The bulk jobs of one model. A call whose reply is not here is gathered: the SDK builds its request, which goes into the next job. When a job has ended, its replies lie in memory, the next pass
 * begins, and each call reads its own as if it had just arrived.
 */
export class BulkJobs implements ModelTransport {
  readonly #setup: JobsSetup;
  readonly #retention: Retention;
  readonly #entries: Map<string, BulkItemEntry>;
  readonly #gathered = new Map<string, Gathered>();
  readonly #ready = new Map<string, { readonly reply: WireReply; readonly job: number }>();
  /** Jobs of which every request was refused: that is no fault of single requests. */
  readonly #refusedWhole = new Set<number>();
  /** Replies whose text the run does not store, for calls that are made again in a later pass. */
  readonly held = new Map<string, TextReply>();
  readonly hasTrial = true;
  #maxRequests: number;
  #bytes = 0;
  #trialsLeft: number;
  #isTrialOver: boolean;
  #wire: BulkWire | null = null;
  #submitting: Promise<void> = Promise.resolve();
  #hasEnded = false;
  /** True when the budget had no room for a request. */
  #isShort = false;

  /** A model that has answered before needs no trial. */
  constructor(setup: JobsSetup, hasAnswered: boolean) {
    this.#setup = setup;
    this.#retention = setup.isProtected ? RETENTION.protected : RETENTION.other;
    this.#entries = setup.ledger.items(setup.backend.name);
    this.#maxRequests = setup.maxRequests ?? DEFAULT_MAX_REQUESTS;
    const isFirst = !hasAnswered && this.#jobs().length === 0;
    this.#trialsLeft = isFirst ? (setup.trial ?? 1) : 0;
    this.#isTrialOver = this.#trialsLeft === 0;
    for (const { job, reservedUsd } of this.#entries.values())
      if (job !== null) setup.spending?.hold(reservedUsd);
  }

  #jobs(): BulkJob[] {
    return this.#setup.ledger.jobs().filter(({ lane }) => lane === this.#setup.backend.name);
  }

  #toJobId({ key, attempt }: CallRef): string {
    const name = /^[\w-]{24}$/.test(key) ? key : hash('sha256', key, 'base64url').slice(0, 24);
    return `${this.#idPrefix}${name}-${attempt}`;
  }

  /** What the ids of all requests of the run begin with. */
  get #idPrefix(): string {
    return `${this.#setup.runId.slice(0, 8)}-`;
  }

  /**
   * The reply of a bulk job to this attempt, used in place of an HTTP request. Undefined if the attempt is an ordinary call.
   *
   * @throws Deferred when the reply is not here yet.
   */
  async exchangeFor(
    { key, ask, most }: { key: string; ask(call: CallRef): Promise<unknown>; most: TokenUsage | null },
    attempt: number,
    cost: Backend['cost'],
  ): Promise<Exchange | undefined> {
    const id = this.#toJobId({ key, attempt });
    const ready = this.#ready.get(id);
    if (ready !== undefined) {
      const entry = this.#entries.get(id);
      if (entry !== undefined) this.#release(id, entry);
      return async () => ready.reply;
    }
    const entry = this.#entries.get(id);
    if (this.#gathered.has(id) || (entry !== undefined && entry.job !== null)) throw new Deferred();
    if (this.#trialsLeft > 0) {
      this.#trialsLeft -= 1;
      return undefined;
    }
    const isRest = this.#setup.rest === 'now' && this.#hasEnded;
    if (isRest || (entry?.expired ?? 0) >= MAX_UNANSWERED) return undefined;
    const maxUsd = most === null ? 0 : (halveCost(cost)?.(most) ?? 0);
    await this.#gather(id, (exchange) => ask({ key, attempt, exchange }), maxUsd);
    throw new Deferred();
  }

  async #gather(id: string, ask: (exchange: Exchange) => Promise<unknown>, maxUsd: number) {
    const { spending, backend } = this.#setup;
    const reservedUsd = spending?.mostFor(backend.name, maxUsd) ?? maxUsd;
    if (spending?.hold(reservedUsd) === false) {
      this.#isShort = true;
      return;
    }
    const request = await capturedRequest(ask);
    this.#gathered.set(id, { customId: id, request, reservedUsd });
    this.#bytes += Buffer.byteLength(request.body) + 200;
    this.#wire ??= backend.bulk!.wire(request);
    const wire = this.#wire;
    if (this.#gathered.size >= Math.min(this.#maxRequests, wire.maxRequests) || this.#bytes >= wire.maxBytes)
      this.#submitSoon();
  }

  /** The provider, also before any request was built. */
  async #anyWire(): Promise<BulkWire> {
    this.#wire ??= (await findBulkWire(this.#setup.backend))!;
    return this.#wire;
  }

  /** The ordinary call before the first job succeeded: jobs may be submitted. */
  callEnded(): void {
    this.#isTrialOver = true;
  }

  exchangeCost(cost: Backend['cost']): Backend['cost'] {
    return halveCost(cost);
  }

  /** A request that was refused while others of its job were accepted is at fault itself: its rows fail, and the run goes on. */
  toItemError(error: BackendError, ref: CallRef): BackendError {
    const job = this.#ready.get(this.#toJobId(ref))?.job;
    const isRefusedWhole = job === undefined || this.#refusedWhole.has(job);
    if (!isFinalFault(error.fault) || isRefusedWhole) return error;
    const { message, usage, rawResponse, status, problem } = error;
    return ownError('rejected', message, {
      ...{ usage, rawResponse, status },
      problem: problem === error.fault ? 'rejected' : problem,
      unbilled: true,
      summary: summariseError(error),
    });
  }

  #release(id: string, { reservedUsd }: BulkItemEntry): void {
    this.#setup.spending?.releaseHeld(reservedUsd);
    this.#entries.delete(id);
  }

  /** Takes what was gathered into jobs, one after the other, while the pass goes on. */
  #submitSoon(): void {
    if (!this.#isTrialOver) return;
    const items = [...this.#gathered.values()].slice(0, this.#maxRequests);
    for (const { customId } of items) this.#gathered.delete(customId);
    this.#bytes = [...this.#gathered.values()].reduce(
      (sum, { request }) => sum + request.body.length + 200,
      0,
    );
    const submitted = this.#submitting.then(() => this.#submit(items));
    // The end of the pass waits for it, and throws its error.
    submitted.catch(() => {});
    this.#submitting = submitted;
  }

  async #submit(items: readonly Gathered[]): Promise<void> {
    const { ledger, backend } = this.#setup;
    const job = ledger.intend(
      {
        nonce: randomBytes(8).toString('hex'),
        lane: backend.name,
        n: items.length,
        bytes: items.reduce((sum, { request }) => sum + Buffer.byteLength(request.body), 0),
      },
      items,
    );
    for (const { customId, reservedUsd } of items)
      this.#entries.set(customId, {
        job: job.id,
        reservedUsd,
        expired: this.#entries.get(customId)?.expired ?? 0,
      });
    await this.#advance(job, items);
  }

  /** Takes a job to `submitted`. What may have been created without being written down is looked for first. */
  async #advance(begun: BulkJob, items: readonly BulkItem[] | null): Promise<void> {
    const { ledger } = this.#setup;
    const wire = await this.#anyWire();
    let job = begun;
    let mayExist = items === null;
    await this.#retry(async () => {
      if (mayExist) {
        const known = new Set(ledger.jobs().flatMap(({ remoteId }) => remoteId ?? []));
        const { remoteId, inputFile } = await wire.find(job, known);
        if (remoteId !== null)
          job = this.#submitted(job, remoteId, inputFile, wire.marksJobs ? null : FOUND_BY_SIZE);
        else if (inputFile !== null && job.inputFile === null)
          job = ledger.update(job.id, { state: 'uploaded', inputFile });
        if (job.state === 'submitted') return;
        if (items === null && job.state === 'intended') return this.#forget(job);
      }
      mayExist = true;
      if (job.state === 'intended' && items !== null) {
        const inputFile = await wire.upload(items, job.nonce, this.#retention);
        if (inputFile !== null) job = ledger.update(job.id, { state: 'uploaded', inputFile });
      }
      this.#submitted(job, await wire.create(job, items, this.#retention), job.inputFile, null);
    });
  }

  #submitted(job: BulkJob, remoteId: string, inputFile: string | null, why: string | null): BulkJob {
    const known = inputFile ?? job.inputFile;
    const update = { state: 'submitted', remoteId, inputFile: known, submittedAt: Date.now(), why } as const;
    return this.#tell(this.#setup.ledger.update(job.id, update), 'submitted');
  }

  #tell(job: BulkJob, says: string): BulkJob {
    this.#setup.onJob?.(job, says);
    return job;
  }

  #forget(job: BulkJob): void {
    this.#setup.ledger.forget(job.id);
    for (const [id, entry] of this.#entries) if (entry.job === job.id) this.#release(id, entry);
  }

  #retry<T>(work: () => Promise<T>): Promise<T> {
    return withRetries(work, this.#setup);
  }

  /** Removes what an earlier process could not remove at the provider. */
  async removeLeft(): Promise<void> {
    for (const job of this.#jobs()) if (job.state === 'collected') await this.#remove(job);
  }

  /** Continues what an earlier process left, before the first pass. */
  async recover(): Promise<void> {
    await this.removeLeft();
    for (const job of this.#jobs()) {
      if (job.state === 'intended' || job.state === 'uploaded') await this.#advance(job, null);
      if (job.state === 'ended') await this.#collect(job);
      if (job.state === 'lost') await this.#refuseLost(job);
    }
  }

  /** After a pass: what was read is in the journal, so the jobs it came from can go; what was gathered is submitted. */
  async finishPass(): Promise<void> {
    for (const job of this.#jobs()) if (job.state === 'ended') await this.#finish(job);
    // A pass that came to its end met no refusal.
    this.#isTrialOver = true;
    while (this.#gathered.size > 0) this.#submitSoon();
    await this.#submitting;
    if (this.#isShort && !this.isWaiting)
      throw new RunStopped({
        fault: 'budget',
        message: 'the budget has no room for the next request of a bulk job; raise the budget to continue',
      });
    this.#isShort = false;
  }

  /**
   * Removes a job whose replies were all read. Replies that the pass did not ask for were paid for: another command over the same run may have submitted them, and takes them in. Where texts are not
   * stored, calls after a kill can differ from those before it, and no command would ever ask for some replies.
   */
  async #finish(job: BulkJob): Promise<void> {
    const unread = () => [...this.#entries.values()].filter((entry) => entry.job === job.id).length;
    if (unread() > 0) this.#releaseEnded();
    if (unread() > 0 && this.#setup.isTextStored) {
      this.#tell(
        job,
        `${unread()} replies belong to another command; they stay with the provider until it asks for them`,
      );
      return;
    }
    for (const [id, ready] of this.#ready) if (ready.job === job.id) this.#ready.delete(id);
    for (const [id, entry] of this.#entries) if (entry.job === job.id) this.#release(id, entry);
    await this.#remove(this.#setup.ledger.collected(job.id));
  }

  /** Calls whose outcome is known, from an earlier process or from the cache, need no reply. */
  #releaseEnded(): void {
    for (const ref of this.#setup.ledger.endedCalls()) {
      const id = this.#toJobId(ref);
      const entry = this.#entries.get(id);
      if (entry !== undefined && entry.job !== null) this.#release(id, entry);
    }
  }

  /** Whether requests are with the provider. */
  get isWaiting(): boolean {
    return this.#jobs().some(({ state }) => state === 'submitted' || state === 'uploaded');
  }

  /** Looks at all jobs once. True when one has ended and its results are here. */
  async look(): Promise<boolean> {
    const wire = await this.#anyWire();
    let isAny = false;
    for (const job of this.#jobs()) {
      if (job.state === 'uploaded') {
        // Held back because too much was in the provider's queue.
        await this.#advance(job, null);
        continue;
      }
      if (job.state !== 'submitted') continue;
      const status = await this.#retry(() => wire.status(job.remoteId!));
      const { state, done, resultFiles } = status;
      const says = this.#shownText(status.says, state);
      if (state === 'running') this.#tell(job, done === null ? says : `${says}, ${done} of ${job.n} done`);
      else if (state === 'rejected') this.#reject(job, status.says);
      else {
        const ended = this.#setup.ledger.update(job.id, {
          state: 'ended',
          resultFiles: [...resultFiles],
          endedAt: Date.now(),
        });
        await this.#collect(this.#tell(ended, says));
        isAny = true;
      }
    }
    return isAny;
  }

  /** What a provider wrote about a job, or in place of it, where the records are protected, words of our own. */
  #shownText(text: string, instead: string): string {
    return this.#setup.isProtected ? instead : plainLine(text, MAX_REASON);
  }

  #reject(job: BulkJob, reason: string): void {
    const { ledger } = this.#setup;
    const why = this.#shownText(reason, 'the reason is withheld, because the cases are protected');
    if (TOO_MUCH_AT_ONCE.test(reason) && job.inputFile !== null) {
      this.#maxRequests = Math.max(1, Math.ceil(this.#maxRequests / 2));
      ledger.update(job.id, { state: 'uploaded', remoteId: null, why });
      this.#tell(job, `${why}: the provider's queue is full; the job will be submitted again later`);
      return;
    }
    this.#tell(ledger.update(job.id, { state: 'rejected', why }), 'rejected');
    throw new RunStopped({
      fault: 'bad_request',
      message: `the provider rejected a bulk job of ${job.n} requests: ${why}`,
    });
  }

  /** Reads the results of a job into memory. */
  async #collect(job: BulkJob): Promise<void> {
    const wire = await this.#anyWire();
    const own = this.#requestsIn(job);
    const replies = new Map<string, WireReply>();
    const unreached = new Set<string>();
    let nUnknown = 0;
    try {
      await this.#retry(async () => {
        replies.clear();
        unreached.clear();
        nUnknown = 0;
        for await (const { customId, reply } of wire.results(job.remoteId!, job.resultFiles)) {
          if (customId === null) continue;
          if (!customId.startsWith(this.#idPrefix)) nUnknown += 1;
          if (!own.has(customId)) continue;
          if (reply === null) unreached.add(customId);
          else replies.set(customId, reply);
        }
      });
    } catch (error) {
      if (!(error instanceof RunStopped && error.fault === 'unknown_model')) throw error;
      // The provider knows nothing of it any more.
      return this.#refuseLost(this.#setup.ledger.update(job.id, { state: 'lost', endedAt: Date.now() }));
    }
    const isEmpty = replies.size + unreached.size === 0;
    if (job.why === FOUND_BY_SIZE && isEmpty && nUnknown > 0)
      return this.#leave(job, "another's job, taken for ours by time and size", own);
    if (nUnknown > 0) this.#tell(job, `${counted(nUnknown, 'result')} to requests of others ignored`);
    this.#hasEnded = true;
    const isRefused = ({ status }: WireReply) => REFUSED.includes(status);
    if (replies.size > 0 && [...replies.values()].every(isRefused)) this.#refusedWhole.add(job.id);
    for (const [customId, reply] of replies) this.#ready.set(customId, { reply, job: job.id });
    const missing = [...own].filter((id) => !replies.has(id));
    this.#reopen(missing, unreached);
    if (missing.length > 0) this.#tell(job, `${missing.length} requests expired or were cancelled`);
  }

  #requestsIn({ id }: BulkJob): Set<string> {
    return new Set([...this.#entries].flatMap(([customId, { job }]) => (job === id ? customId : [])));
  }

  /**
   * Opens requests again that a job left unanswered, a few times at most. What was set aside for them is free only where the provider
   * did not get to them: for others it may have charged.
   */
  #reopen(customIds: readonly string[], unreached: ReadonlySet<string>): void {
    this.#setup.ledger.expire(customIds);
    for (const id of customIds) {
      const { reservedUsd, expired } = this.#entries.get(id)!;
      if (unreached.has(id)) this.#setup.spending?.releaseHeld(reservedUsd);
      this.#entries.set(id, { job: null, reservedUsd: 0, expired: expired + 1 });
    }
  }

  /** Ends a job without results. It stays in the list, so that it is not found again. */
  #leave(job: BulkJob, why: string, unreached: ReadonlySet<string>): void {
    this.#reopen([...this.#requestsIn(job)], unreached);
    this.#tell(this.#setup.ledger.update(job.id, { state: 'removed', removedAt: Date.now(), why }), why);
  }

  async #refuseLost(job: BulkJob): Promise<void> {
    if (this.#setup.again) return this.#leave(job, 'its results were gone', new Set());
    throw new RunStopped({
      fault: 'unreachable',
      message: `the provider no longer has the results of bulk job ${this.#shownText(job.remoteId ?? job.nonce, job.nonce)} (${job.n} requests, submitted ${new Date(job.submittedAt ?? job.intendedAt).toISOString().slice(0, 16)}), which were paid for`,
    });
  }

  async #remove(job: BulkJob): Promise<void> {
    const wire = await this.#anyWire();
    const left = await wire.remove({ ...job, idPrefix: this.#idPrefix });
    const { ledger } = this.#setup;
    if (left.length > 0)
      this.#tell(
        ledger.update(job.id, { why: `still with the provider: ${left.join(', ')}` }),
        'not removed',
      );
    else this.#tell(ledger.update(job.id, { state: 'removed', removedAt: Date.now(), why: null }), 'removed');
  }

  /** Asks the provider to end its jobs; what was finished comes with their results. */
  async cancel(): Promise<number> {
    const wire = await this.#anyWire();
    const running = this.#jobs().filter(({ state }) => state === 'submitted');
    for (const { remoteId } of running) await this.#retry(() => wire.cancel(remoteId!));
    return running.length;
  }
}

/** Providers charge half for requests of bulk jobs. */
function halveCost(cost: Backend['cost']): Backend['cost'] {
  if (cost === undefined) return undefined;
  return (usage) => {
    const full = cost(usage);
    return full === null ? null : full / 2;
  };
}
