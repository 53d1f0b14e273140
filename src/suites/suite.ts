import type { PatientRecord } from '../core/patient-record.ts';
import type { Exclusions } from './exclusions.ts';
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
  /** `<domain>/<task>`. */
  readonly name: string;
  /** The id of the task. */
  readonly task: string;
  /** The domain in words. */
  readonly domain: string;
  /** Whose data it is. */
  readonly sensitivity: Sensitivity;
  /** SHA-256 of the canonical JSON of the records: equal hashes, equal records. */
  readonly hash: string;
  /** Records that are evaluated. */
  readonly nRecords: number;
  /** Records for baselines to learn from. */
  readonly nTraining: number;
  /** People who were generated or read and are in neither part, by reason. Default: none. */
  readonly excluded?: readonly { readonly reason: string; readonly n: number }[];
  /** Records by true label, in the order of the task. */
  readonly labels: readonly Counted[];
  /** Records by `metadata.origin`. */
  readonly origins: readonly Counted[];
  /** Rows by `metadata.should_abstain`, and why. */
  readonly deferral: {
    readonly mustDefer: number;
    readonly mustAnswer: number;
    readonly unlabelled: number;
    readonly reasons: readonly Counted[];
  };
  /** Records by `metadata.must_act`: emergencies (true), those that are none (false), and those left open (null, or not marked); with the findings of emergencies and of those left open. */
  readonly mustAct: {
    readonly emergencies: number;
    readonly none: number;
    readonly open: number;
    readonly reasons: readonly Counted[];
    readonly openReasons: readonly Counted[];
  };
  /** Not measured, by feature. */
  readonly missing: readonly Counted[];
  /** Records by the stratum of the task. */
  readonly strata: readonly Counted[];
  /** The ways in which the question can be put. */
  readonly arms: readonly string[];
  /** Null for open questions: their rubrics are scored trait by trait. */
  readonly primaryEndpoint: PrimaryEndpoint | null;
  /** Settings that shaped the records. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Where the data and the rules come from, by name. */
  readonly provenance: Readonly<Record<string, string>>;
  /** What a reader must know before quoting a score. */
  readonly warnings: readonly string[];
}

/** A clinical benchmark: records, and what is asked about them. */
export interface Suite<T extends AnyTask = Task> {
  /** `<domain>/<task>`. */
  readonly name: string;
  /** What is asked about each record. */
  readonly task: T;
  /** Whose data it is. Default: `protected`. */
  readonly sensitivity?: Sensitivity;
  /** Metadata keys that scores may be grouped by. A run of a protected suite stores no other metadata than these, the task's stratum, the cluster, `should_abstain` and `must_act`. Default: none. */
  readonly groups?: readonly string[];
  /** The metadata key that names the patient, where several records are of one: they are asked together, and intervals take them as one. A run of a protected suite stores running numbers in its place. Default: none. */
  readonly cluster?: string;
  /** Loads the records that are evaluated, always the same in the same order. */
  load(): Promise<PatientRecord[]>;
  /** The same records one by one, where a suite can make them so: a hundred thousand then need no more memory than one. */
  stream?(): Iterable<PatientRecord>;
  /** Whether `stream` can be used with these settings; yes, unless said. */
  canStream?(): boolean;
  /** Counts and describes the records. */
  describe(): Promise<SuiteDescription>;
  /** The same suite without the records of a list. Default: its records are left out, and nothing else changes. */
  without?(list: Exclusions): Suite<T>;
  /** Records to learn from, apart from those that are evaluated. For baselines; no model sees them. */
  training?(): Promise<PatientRecord[]>;
}
