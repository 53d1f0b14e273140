import type { Interval, RunStatus, Score, Stratum } from '../core/index.ts';
import type { Figures } from '../metrics/index.ts';
import type { answerObject, Cause, RiskReference } from '../reports/index.ts';
import type { PublishedFigures, RunOverview } from '../results/index.ts';
import type {
  LiveCalls,
  RecordDetails,
  RecordLine,
  RowCounts,
  RunNotes,
  RunVerification,
} from '../store/browser.ts';

export type { Cause };

/**
 * What the viewer's page receives, over HTTP or, in an export, from files beside it. Everything is in file form: snake_case, and null for what is unknown. `addresses.ts` lists the addresses.
 */

/** Address `runs`. */
export interface RunsPayload {
  readonly folder: string;
  readonly runs: readonly RunLine[];
  /** Whether the server was started to change notes on runs; false in an export. */
  readonly may_edit: boolean;
  readonly unreadable: readonly { readonly path: string; readonly error: string }[];
}

export interface RunLine extends RowCounts {
  /** The file name without its extension: addresses use it. */
  readonly id: string;
  readonly kind: 'labels' | 'questions';
  readonly suite: string;
  readonly task: string | null;
  readonly arm: string | null;
  readonly model: string;
  readonly created_at: string;
  readonly status: RunStatus;
  readonly suite_hash: string | null;
  readonly sensitivity: string | null;
  readonly simulated: boolean;
  readonly imported: boolean;
  /** The primary endpoint; null until the run has ended. */
  readonly headline: ScoreLine | null;
  readonly cost_usd: number | null;
  readonly elapsed_seconds: number | null;
  /** Null unless the run is being written. */
  readonly live: LiveCalls | null;
  /** Name, note, tags and whether lists leave the run out. An export of a protected run has only the last. */
  readonly notes: RunNotes;
}

/** Whether the run file was changed since it was written: the verdict of `verifyRun`, and what it says in one line. */
export interface VerificationMark {
  readonly verdict: RunVerification['verdict'];
  readonly text: string;
}

export interface ScoreLine
  extends Pick<Score, 'name' | 'label' | 'family' | 'reads' | 'value' | 'reason' | 'bounds'> {
  readonly interval: Pick<Interval, 'lower' | 'upper' | 'level' | 'method'> | null;
  /** The denominator that the interval uses. */
  readonly n: number;
  /** The numerator of a share; null for anything else. */
  readonly n_successes: number | null;
}

/** Address `runs/:id`. */
export interface RunPayload
  extends Pick<RunOverview, 'confidence_steps' | 'n_scored' | 'facets' | 'subgroups'> {
  readonly run: RunLine;
  readonly scores: readonly ScoreLine[];
  readonly warnings: readonly { readonly code: string; readonly message: string }[];
  /** Why rows have no usable answer; empty where all have one. */
  readonly causes: readonly Cause[];
  /** Null for a run without rows. */
  readonly figures: Figures | null;
  /** What can be drawn of a run that was imported without rows. Default: null, for every other run. */
  readonly published?: PublishedFigures | null;
  /** The baselines of the suite beside the risk-coverage curve; empty where the run file does not have them. */
  readonly references: readonly RiskReference[];
  readonly labels: readonly string[];
  /** The metadata key that the task breaks scores down by, and the word for it. */
  readonly stratum: Stratum;
  readonly execution: Readonly<Record<string, unknown>>;
  readonly provenance: Readonly<Record<string, unknown>>;
  readonly templates: readonly { readonly prompt_mode: string; readonly prompt: unknown }[];
  readonly verification: VerificationMark;
  /** Whether the page hides patient and model text until the reader asks for it, as it does for `protected` suites. */
  readonly hides_text: boolean;
}

/** Address `runs/:id/records`. */
export interface RecordsPayload {
  /** Matches on all pages. */
  readonly total: number;
  readonly rows: readonly RecordLine[];
}

/** Address `runs/:id/records/:record`. */
export interface RecordPayload extends RecordLine, RecordDetails {}

/** Address `compare`. */
export interface ComparePayload {
  readonly a: RunLine;
  readonly b: RunLine;
  /** As `krisis compare --json` prints it, with a as the baseline; null, with a reason, if the two cannot be paired. */
  readonly comparison: Readonly<Record<string, unknown>> | null;
  readonly reason: string | null;
  readonly figures: readonly (Figures | null)[];
}

type AnswerObject = ReturnType<typeof answerObject>;

/** Address `runs/:id/questions`: what `krisis report --json` prints for a run on open questions, with its answers under `evaluation_results`. */
export interface QuestionsPayload extends Readonly<Record<string, unknown>> {
  readonly run: RunLine;
  /** As in `RunPayload`. */
  readonly causes: readonly Cause[];
  /** As in `RunPayload`. */
  readonly verification: VerificationMark;
  /** As in `RunPayload`. */
  readonly hides_text: boolean;
  readonly evaluation_results: readonly AnswerObject[];
}

/** The body of a response with status 400, 403, 404, 405 or 500. */
export interface ErrorPayload {
  readonly error: string;
}
