import type { RunStatus } from '../core/index.ts';
import type { Figures } from '../metrics/index.ts';

/**
 * What the viewer's server says and its page reads, over HTTP or, in an export, from files beside the page. Everything is in the form of files: snake_case, undefined is null.
 * Addresses: `runs`, `runs/ID`, `runs/ID/records?...`, `runs/ID/records/RECORD?repeat=0`, `runs/ID/questions`, `compare?a=ID&b=ID`.
 */

/** GET /api/runs */
export interface RunsPayload {
  readonly folder: string;
  readonly runs: readonly RunLine[];
  readonly unreadable: readonly { readonly path: string; readonly error: string }[];
}

export interface RunLine {
  /** Its file name without the ending: what addresses use. */
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
  readonly n: number;
  readonly n_done: number;
  /** Rows by class; sums to n once the run is complete. */
  readonly ledger: Readonly<Record<string, number>>;
  /** The primary endpoint, where it is known. */
  readonly headline: ScoreLine | null;
  readonly cost_usd: number | null;
  readonly elapsed_seconds: number | null;
  /** Of a run that is being written. */
  readonly live: { readonly in_flight: number; readonly rate_limits: number } | null;
}

export interface ScoreLine {
  readonly name: string;
  readonly label: string;
  readonly family: string;
  readonly reads: string;
  readonly value: number | null;
  readonly reason: string | null;
  readonly interval: {
    readonly lower: number;
    readonly upper: number;
    readonly level: number;
    readonly method: string;
  } | null;
  readonly bounds: { readonly lower: number; readonly upper: number } | null;
  readonly n: number;
}

/** GET /api/runs/ID */
export interface RunPayload {
  readonly run: RunLine;
  readonly scores: readonly ScoreLine[];
  readonly warnings: readonly { readonly code: string; readonly message: string }[];
  /** Null for a run without rows. */
  readonly figures: Figures | null;
  /** Usable rows by stated confidence, highest first, thinned to at most 400 steps: for the threshold. */
  readonly confidence_steps: readonly {
    readonly threshold: number;
    readonly n: number;
    readonly errors: number;
  }[];
  readonly n_scored: number;
  readonly labels: readonly string[];
  /** What records can be filtered by, with the values there are (at most 50 of a key). */
  readonly facets: Readonly<
    Record<'outcome' | 'label' | 'prediction' | 'stage' | 'reason', readonly string[]>
  >;
  readonly subgroups: Readonly<Record<string, readonly string[]>>;
  readonly execution: Readonly<Record<string, unknown>>;
  readonly provenance: Readonly<Record<string, unknown>>;
  readonly templates: readonly { readonly prompt_mode: string; readonly prompt: unknown }[];
  /** Whether patient and model text may be shown at once; `protected` suites ask first. */
  readonly hides_text: boolean;
}

/** The filter of a list of records, as it stands in an address: `outcome=answered_wrong&confidence_from=0.9&group=sex:female&sort=-confidence`. A list is given by repeating its name. */
export interface RecordFilter {
  readonly outcome?: readonly string[];
  /** Labels as they are compared, whatever the case; `null` for none. */
  readonly label?: readonly string[];
  readonly prediction?: readonly string[];
  /** A range is half open, as bins are: from is in it, to is not, unless it is 1. */
  readonly confidence_from?: number;
  readonly confidence_to?: number;
  /** `none` for a row without one. */
  readonly stage?: readonly string[];
  readonly reason?: readonly string[];
  /** `key:value`, a key of `subgroups`; several values of one key are alternatives, several keys must all fit. */
  readonly group?: readonly string[];
  /** `true`, `false` or `null`. */
  readonly should_abstain?: readonly string[];
  readonly repeat?: number;
  /** Added to the contract. Rows that confidence plots count (answered, truth known, confidence from 0 to 1): a bin is `usable=true&confidence_from=...&confidence_to=...`. */
  readonly usable?: boolean;
  /** Added to the contract. Rows that are scored, so neither failed nor never run: what matrices and dots count. */
  readonly scored?: boolean;
  /** In id, answer and reasons, whatever the case. */
  readonly text?: string;
  /** Records that this run and another judged apart: `ID:only_a`, `ID:only_b` (right here only, right there only). */
  readonly flips?: string;
  /** id, confidence, label, prediction, outcome; with - for the largest first. */
  readonly sort?: string;
  readonly offset?: number;
  readonly limit?: number;
}

/** GET /api/runs/ID/records?... */
export interface RecordsPayload {
  readonly total: number;
  readonly rows: readonly RecordLine[];
}

export interface RecordLine {
  readonly id: string;
  readonly repeat: number;
  readonly outcome: string;
  readonly label: string | null;
  readonly prediction: string | null;
  readonly confidence: number | null;
  readonly should_abstain: boolean | null;
  readonly reasons: readonly string[];
  readonly stage: string | null;
  /** Added to the contract. Values of the keys in `subgroups`, where the record has one. */
  readonly groups: Readonly<Record<string, string>>;
}

/** GET /api/runs/ID/records/RECORD?repeat=0 */
export interface RecordPayload extends RecordLine {
  readonly features: Readonly<Record<string, unknown>> | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly state_reason: string | null;
  readonly raw_response: string | null;
  readonly prompt: unknown;
  readonly prompt_mode: string;
  readonly input_tokens: number | null;
  readonly output_tokens: number | null;
  readonly tokens_estimated: boolean;
  readonly repaired: boolean;
  readonly attempts: readonly {
    readonly attempt: number;
    readonly mode: string;
    readonly outcome: string;
    readonly error: string | null;
    readonly latency_seconds: number | null;
    readonly n_records: number;
  }[];
}

/** GET /api/compare?a=ID&b=ID */
export interface ComparePayload {
  readonly a: RunLine;
  readonly b: RunLine;
  /** As `krisis compare --json` prints it, a as the baseline; null with a reason where the two cannot be paired. */
  readonly comparison: Readonly<Record<string, unknown>> | null;
  readonly reason: string | null;
  readonly figures: readonly (Figures | null)[];
}

/** Added to the contract. GET /api/runs/ID/questions: what `krisis report --json` prints of a run on open questions, its answers under `evaluation_results`. */
export interface QuestionsPayload extends Readonly<Record<string, unknown>> {
  readonly run: RunLine;
  /** As in `RunPayload`. */
  readonly hides_text: boolean;
  readonly evaluation_results: readonly Readonly<Record<string, unknown>>[];
}

/** Added to the contract. What an address says where it cannot answer: 400, 403, 404, 405 or 500. */
export interface ErrorPayload {
  readonly error: string;
}
