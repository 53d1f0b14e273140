/** A request as a provider's SDK would send it. */
export interface WireRequest {
  readonly url: string;
  /** JSON. */
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A reply as the SDK would receive it. */
export interface WireReply {
  readonly status: number;
  /** JSON. */
  readonly body: string;
  /** Those that are read, with names in lower case. Default: none. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Stands in for the network in one call: it gets what would be sent, and brings what is read as the reply. */
export type Exchange = (request: WireRequest) => Promise<WireReply>;

/** One request of a bulk job. */
export interface BulkItem {
  /** At most 64 of `A-Z a-z 0-9 _ -`: accepted everywhere. */
  readonly customId: string;
  readonly request: WireRequest;
}

/** Whose bulk jobs a provider's are like. */
export type BulkShape = 'openai' | 'azure' | 'anthropic' | 'google' | 'xai';

/** How long a provider keeps what it is given, in seconds. */
export interface Retention {
  readonly input: number;
  readonly output: number;
}

/** What a run file knows of a job at a provider. */
interface RemoteJob {
  /** Random; marks files and jobs as ours. */
  readonly nonce: string;
  readonly n: number;
  /** Milliseconds of the clock. */
  readonly intendedAt: number;
  readonly remoteId: string | null;
  readonly inputFile: string | null;
  readonly resultFiles: readonly string[];
}

/** Something at a provider that is marked as ours. */
export interface RemoteMark {
  readonly kind: 'job' | 'file';
  readonly id: string;
  readonly nonce: string;
}

/** One provider's way of taking many requests at once. Every address is built here: none that a reply names is followed. */
export interface BulkWire {
  /** The most requests and bytes in one job. */
  readonly maxRequests: number;
  readonly maxBytes: number;
  /** Whether jobs carry our mark. Where they do not, `find` can only guess. */
  readonly marksJobs: boolean;
  /** Uploads the requests and returns the id of the file; null where they are part of the creation. */
  upload(items: readonly BulkItem[], nonce: string, retention: Retention): Promise<string | null>;
  /** Creates the job and returns its id. `items` is null where only the uploaded file is known. */
  create(
    job: Pick<RemoteJob, 'nonce' | 'inputFile'>,
    items: readonly BulkItem[] | null,
    retention: Retention,
  ): Promise<string>;
  /** Looks for what was created and not written down: by its mark, or, where jobs have none, by time and size among those that are not `known`. */
  find(
    job: RemoteJob,
    known: ReadonlySet<string>,
  ): Promise<{ readonly remoteId: string | null; readonly inputFile: string | null }>;
  /** How a job is going. Creation is not acceptance, and an end is not success. */
  status(remoteId: string): Promise<{
    readonly state: 'running' | 'ended' | 'rejected';
    /** The provider's word for it, and why it was rejected. */
    readonly says: string;
    /** Requests that are done; null where the provider does not say. */
    readonly done: number | null;
    readonly resultFiles: readonly string[];
  }>;
  /**
   * What came of each request. `customId` is null for a result that names no request; `reply` is null for a request that the provider
   * did not get to before the job expired or was cancelled.
   */
  results(
    remoteId: string,
    resultFiles: readonly string[],
  ): AsyncIterable<{ readonly customId: string | null; readonly reply: WireReply | null }>;
  cancel(remoteId: string): Promise<void>;
  /**
   * Deletes what the provider keeps of the job, if it carries our mark: a run file may name what belongs to others. What is gone already
   * counts as deleted. Returns what is left. The ids of our requests begin with `idPrefix`.
   */
  remove(job: RemoteJob & { readonly idPrefix: string }): Promise<string[]>;
  /** Deletes one thing that `list` found. */
  removeMark(mark: RemoteMark): Promise<void>;
  /** Everything marked as ours; nothing where the provider has no marks. */
  list(): AsyncIterable<RemoteMark>;
}
