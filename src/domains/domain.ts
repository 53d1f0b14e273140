import type { DeferralReasons } from '../core/deferral-reasons.ts';
import { KrisisError } from '../core/errors.ts';
import type { Label } from '../core/label.ts';
import type { Suite } from '../suites/suite.ts';
import type { SuiteOption, SuiteOptions } from '../suites/suite-option.ts';

/** What checking a data file found. */
export interface DataFileReport {
  readonly problems: readonly string[];
  /** One JSON object, for programs. */
  readonly json: Readonly<Record<string, unknown>>;
  /** Lines for a reader, problems not among them. */
  readonly text: readonly string[];
}

/** Names of features, without their units, by the reason to defer or to act that rests on them. */
export type Evidence = Readonly<Record<string, readonly string[]>>;

/** A clinical domain: everything the rest of the program needs to know of it. Another domain is another folder with one of these, and a line in `DOMAINS`. */
export interface Domain {
  /** The first part of its suites' names: `ckd` in `ckd/staging`. */
  readonly name: string;
  /** Its tasks by name, each with one line on what is asked. */
  readonly tasks: Readonly<Record<string, string>>;
  /** What its tasks share where they run with one seed, for tables across tasks. Default: nothing. */
  readonly shared?: string;
  /** What its suites can be given, by name in code. */
  readonly options: Readonly<Record<string, SuiteOption>>;
  /** Makes the suite of a task; the suite checks its options. */
  create(task: string, options: SuiteOptions): Promise<Suite>;
  /** The reasons to defer of all its tasks: what scoring knows of them where no task is given. */
  readonly deferralReasons?: DeferralReasons;
  /** The features that each reason to defer or to act rests on, by name without a unit. */
  readonly evidence?: Evidence;
  /** Its ordered label scales, mildest label first: what a staging task without labels of its own may mean. */
  readonly scales?: readonly (readonly Label[])[];
  /** A published data file that its suites read. Several domains may read the same one; each reports on its own tasks. */
  readonly dataFile?: {
    /** What it is called: `a registry extract (CSV)`. */
    readonly title: string;
    /** Endings of file names that only such a file has, without the dot. Default: none. */
    readonly endings?: readonly string[];
    /** Whether a file with these columns is meant to be such a file. */
    hasColumns(header: readonly string[]): Promise<boolean>;
    /** Finds everything that is wrong with a copy, at once; throws a KrisisError where it is no such file. */
    check(path: string): Promise<DataFileReport>;
  };
}

/** The error for a value that no patient can have, or for inputs that do not fit together. */
export function clinicalError(message: string, value: unknown): KrisisError {
  return new KrisisError(message, { code: 'ERR_CLINICAL_VALUE', value });
}
