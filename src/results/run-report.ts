import type { Label, Stratum } from '../core/index.ts';
import type { Figures, Scorecard, Warning } from '../metrics/index.ts';
import type { Extras } from './execution.ts';
import type { BenchmarkRow } from './run-result.ts';

/** How a run went, as far as its file says: an imported or unfinished run does not know all of it. */
export type RunExtras = {
  readonly [K in keyof Extras]: Extras[K] extends readonly unknown[] | boolean ? Extras[K] : Extras[K] | null;
};

/** Everything a report says of one run; reports only format it. Made from a run file or from a `BenchmarkResult`. */
export interface RunReport {
  /** The run file; null for a result in memory. */
  readonly path: string | null;
  readonly backendName: string;
  readonly suiteName: string;
  /** Null where nobody knows it: an imported run. */
  readonly suiteHash: string | null;
  /** The suite's description in its file form. */
  readonly suite: Readonly<Record<string, unknown>>;
  readonly task: {
    readonly id: string;
    readonly labels: readonly Label[];
    readonly positiveLabel: Label | null;
    readonly ordered: boolean;
    readonly pack: string | null;
    /** What scores are broken down by. */
    readonly stratum: Stratum;
  } | null;
  readonly arm: string | null;
  readonly instructions: string | null;
  readonly primaryEndpoint: { readonly metric: string; readonly arm: string; readonly why: string } | null;
  readonly sensitivity: string | null;
  /** `complete`, `interrupted`, `stopped`, or `running` while somebody writes it. */
  readonly status: string;
  readonly stoppedBecause: string | null;
  readonly createdAt: string | null;
  readonly krisisVersion: string | null;
  /** The suite's seed; that of the intervals is in `card.method`. */
  readonly seed: number | null;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly egress: Readonly<Record<string, unknown>> | null;
  /** Set for a run of another framework. */
  readonly imported: {
    readonly format: string;
    readonly source: string;
    readonly sha256: string;
    readonly hasRows: boolean;
  } | null;
  readonly repeats: number;
  readonly card: Scorecard;
  readonly extras: RunExtras;
  /** Null for a run without rows. */
  readonly figures: Figures | null;
  readonly warnings: readonly Warning[];
  /** Rows in the order of the records, one by one; can be walked again. Prompts are the redacted templates. */
  rows(): Iterable<BenchmarkRow>;
  close(): void;
}
