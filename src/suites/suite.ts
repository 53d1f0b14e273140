import type { PatientRecord } from '../core/index.ts';
import type { AnyTask, PrimaryEndpoint, Task } from './task.ts';

/**
 * Whose data it is. `synthetic`: generated. `public`: published for reuse. `protected`: real patients, the default for anything that is
 * not ours: its features are never written to a file of ours and leave the machine only when that is asked for.
 */
export type Sensitivity = 'synthetic' | 'public' | 'protected';

/** How many rows, and of what share. */
export interface Counted {
  readonly name: string;
  readonly n: number;
}

/** What a reader must know before trusting a number from this suite. */
export interface SuiteDescription {
  readonly name: string;
  readonly task: string;
  readonly domain: string;
  readonly sensitivity: Sensitivity;
  /** SHA-256 of the canonical JSON of the records: equal hashes, equal records. */
  readonly hash: string;
  readonly nRecords: number;
  readonly nTraining: number;
  readonly labels: readonly Counted[];
  readonly origins: readonly Counted[];
  /** Rows by `metadata.should_abstain`, and why. */
  readonly deferral: {
    readonly mustDefer: number;
    readonly mustAnswer: number;
    readonly unlabelled: number;
    readonly reasons: readonly Counted[];
  };
  readonly mustAct: readonly Counted[];
  /** Not measured, by feature. */
  readonly missing: readonly Counted[];
  readonly strata: readonly Counted[];
  readonly arms: readonly string[];
  /** Null for open questions: their rubrics are scored trait by trait. */
  readonly primaryEndpoint: PrimaryEndpoint | null;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly provenance: Readonly<Record<string, string>>;
  readonly warnings: readonly string[];
}

/** A clinical benchmark: records, and what is asked about them. */
export interface Suite<T extends AnyTask = Task> {
  /** `<domain>/<task>`. */
  readonly name: string;
  readonly task: T;
  readonly sensitivity?: Sensitivity;
  load(): Promise<PatientRecord[]>;
  /** The same records one by one, where a suite can make them so: a hundred thousand then need no more memory than one. */
  stream?(): Iterable<PatientRecord>;
  /** Whether `stream` can be used with these settings; yes, unless said. */
  canStream?(): boolean;
  describe(): Promise<SuiteDescription>;
  /** Records to learn from, apart from those that are evaluated. For baselines; no model sees them. */
  training?(): Promise<PatientRecord[]>;
}
