import type { RecordIndex } from '../analyses/record-index/record-index.ts';
import type { ConfidenceStep } from '../analyses/threshold/confidence-steps.ts';
import type { CaseKind, DecisionClass } from '../core/decision-class.ts';
import type { Stratum } from '../core/patient-record.ts';
import type { Interval, Score } from '../core/score.ts';
import type { RunStatus } from '../core/states.ts';
import type { PromptMessage } from '../core/text-request.ts';
import type { DecisiveFeature } from '../domains/decisive-features.ts';
import type { Section } from '../reports/document/document.ts';
import type { answerObject } from '../runs/formats/question-json.ts';
import type { RunResult } from '../runs/run-result.ts';
import type {
  FacetCounts,
  LiveCalls,
  RecordDetails,
  RecordLine,
  RowCounts,
  RunNotes,
  RunVerification,
  SearchedText,
} from '../store/browser.ts';
import type { DownloadedRow } from './record-files.ts';

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
  /** Which part of a run it is; null for a whole one. */
  readonly shard: { readonly index: number; readonly of: number } | null;
  /** In what runs of one model can differ, by names in words: `seed`, `repeats`, `prompt`. */
  readonly settings: Readonly<Record<string, string>>;
  /** The conditions of a run that stops early, and what they showed. Empty for other runs, whose files do not keep conditions. */
  readonly gates: readonly { readonly gate: string; readonly status: string }[];
  /** The primary endpoint; null until the run has ended. */
  readonly headline: ScoreLine | null;
  /** The scores that lead wherever models are listed, in order: emergencies, harm, cost, the primary endpoint. Empty until the run has ended. */
  readonly leading: readonly ScoreLine[];
  /** What the model did that can harm a patient or make it useless, in words, the gravest first. Empty until the run has ended. */
  readonly faults: readonly string[];
  readonly cost_usd: number | null;
  readonly elapsed_seconds: number | null;
  /** Null unless the run is being written. */
  readonly live: LiveCalls | null;
  /** Name, note, tags and whether lists leave the run out. An export of a protected run has only the last. */
  readonly notes: RunNotes;
  /** Changes whenever the file or the run's status does: a page that shows records of the run loads them again then. */
  readonly version: string;
  /** Whether the run file is verified, by its seal. `runs/:id/verification` checks every entry. Null while the run is being written. */
  readonly verification: VerificationMark | null;
}

/** Whether the run file is verified: the verdict of `verifyRun`, and what it says in one line. Address `runs/:id/verification` checks every entry. */
export interface VerificationMark {
  readonly verdict: RunVerification['verdict'];
  /** `seal`: only scores and manifest were checked, since reading every entry takes long. */
  readonly checked: RunVerification['checked'];
  readonly text: string;
  /** The same as a section, for a notice. */
  readonly notice: Section;
}

export interface ScoreLine
  extends Pick<Score, 'name' | 'label' | 'family' | 'reads' | 'value' | 'reason' | 'bounds'> {
  readonly interval: Pick<Interval, 'lower' | 'upper' | 'level' | 'method'> | null;
  /** The denominator that the interval uses. */
  readonly n: number;
  /** The numerator of a share; null for anything else. */
  readonly n_successes: number | null;
  /** Why `interval` is null. */
  readonly interval_reason: string | null;
  /** Which direction is better; null where neither is, or it is unknown. */
  readonly better: 'higher' | 'lower' | null;
  /** Its place on the first screen, from 0; null where it is not there. */
  readonly leads: number | null;
  /** Its column in the list of runs, with its place; null where it has none. Scores with the same title stand in for each other. */
  readonly column: { readonly title: string; readonly place: number } | null;
  /** Whether each row that it counts may have harmed a patient. */
  readonly harm: boolean;
  /** What never and always deferring score; null where that is not known. */
  readonly constant_policies: NonNullable<Score['facts']>['constantPolicies'] | null;
  /** Why a gate must not rest on the value; null where it may. */
  readonly ungateable: string | null;
  /** What the value is read against: the noise floor of a calibration error, the two constant deferral policies, costs. */
  readonly details: Readonly<Record<string, unknown>>;
}

/** What a page shows of a report. */
export interface ShownReport {
  /** What comes before every number: what could harm a patient. */
  readonly alerts: readonly string[];
  /** What a reader must know before quoting a number. */
  readonly warnings: readonly string[];
  /** The sections of the report. Blocks carry links to records. */
  readonly sections: readonly Section[];
  /** The sections that an export shows. Default: an export may show all. */
  readonly sections_without_text?: readonly Section[] | undefined;
}

/** Address `runs/:id`. */
export interface RunPayload extends ShownReport, Pick<RecordIndex, 'facets' | 'subgroups'> {
  readonly confidence_steps: readonly ConfidenceStep[];
  readonly n_scored: RunResult['nScored'];
  readonly emergency_rule: RunResult['emergencyRule'];
  readonly run: RunLine;
  readonly labels: readonly string[];
  /** What cases of the run call for. */
  readonly case_kinds: readonly CaseKind[];
  /** Keys of metadata that groups were scored by. */
  readonly scored_by: readonly string[];
  /** How often every record was asked. */
  readonly repeats: number;
  /** Whether the model is surer when it fails: then no threshold is safe. */
  readonly is_inverted: boolean;
  /** The metadata key that the task breaks scores down by, and the word for it. */
  readonly stratum: Stratum;
  readonly verification: VerificationMark;
  /** Whether the page hides patient and model text until the reader asks for it, as it does for `protected` suites. */
  readonly hides_text: boolean;
}

/** Address `runs/:id/records`. The addresses `runs/:id/records.csv` and `runs/:id/records.jsonl` take the same filter and download all its rows, with `include=reply`, `include=features` and `include=metadata` also these texts of each row. */
export interface RecordsPayload {
  /** Matches on all pages. */
  readonly total: number;
  readonly rows: readonly RecordLine[];
  /** That of the run (`RunLine.version`) when the rows were read. */
  readonly version: string;
}

/** Address `runs/:id/rows`: a page of what `records.csv` and `records.jsonl` write. */
export interface DownloadPayload {
  readonly rows: readonly DownloadedRow[];
}

/** Address `runs/:id/facets`, with the filter of `runs/:id/records`: what there is to choose from. */
export interface FacetsPayload extends FacetCounts {
  /** Metadata keys that the filter's `column` can name, in alphabetical order. */
  readonly columns: readonly string[];
  /** What the filter's `search_in` can name: texts that the run file has and that may be shown. */
  readonly searchable: readonly SearchedText[];
}

/** Address `runs/:id/records/:record`. */
export interface RecordPayload extends Omit<RecordLine, 'metadata'>, RecordDetails {
  /** The prompt as it was sent: the template filled with the record, and with the others of its batch. Null, with a reason, where the file does not have what is needed. */
  readonly prompt_sent: readonly PromptMessage[] | null;
  readonly prompt_sent_reason: string | null;
  /** The features that the reasons to act or to defer rest on, those of an emergency first. */
  readonly decisive: readonly DecisiveFeature[];
  /** What people noted on the case, in the notes beside the run. */
  readonly note: string | null;
}

/** Address `suites/:suite/cases/:record`: one case in every run of its suite that is not hidden. */
export interface CasePayload extends Pick<ShownReport, 'sections' | 'sections_without_text'> {
  readonly suite: string;
  readonly record: string;
  /** As in `RunPayload`. */
  readonly hides_text: boolean;
}

/** Address `search`: where a text occurs in replies, features and metadata of runs, for as many runs as a second allows. */
export interface SearchPayload {
  readonly hits: readonly {
    readonly run: RunLine;
    readonly n_cases: number;
    /** The first of them. */
    readonly ids: readonly string[];
  }[];
  /** Where the next request goes on. */
  readonly n_searched: number;
  readonly n_runs: number;
  /** Runs of protected suites, which are not searched. */
  readonly n_protected: number;
}

/** Address `differences`: the settings and the lines of prompts in which the first two of the named runs differ. */
export interface DifferencesPayload {
  readonly runs: readonly [RunLine, RunLine];
  readonly sections: readonly Section[];
}

/** Address `compare`: two runs or more, the first as the baseline. */
export interface ComparePayload extends ShownReport {
  readonly runs: readonly RunLine[];
  /** Why the runs cannot be paired; null if they can. */
  readonly reason: string | null;
  /** Of each run but the first: the records that only one of the two has right, by which lists of an export are filtered. */
  readonly flips: readonly Readonly<Record<'only_a' | 'only_b', readonly string[]>>[];
}

/** Address `compare/first`: what a comparison begins with, while the rest is computed. Empty where the runs cannot be paired, and for open questions. */
export interface FirstComparisonPayload {
  readonly runs: readonly RunLine[];
  /** What of each model could harm a patient; models without are left out. */
  readonly faults: readonly { readonly model: string; readonly sentences: readonly string[] }[];
  /** Every model by the endpoints that lead, harms first. */
  readonly section: Section | null;
}

/** Which records of a comparison to list. `only_baseline_right`: the first run is right and no other. `only_others_right`: the first is not right and another one is. With open questions, these are about items: a question is listed if it has such an item. */
export type ComparedShow = 'all' | 'differing' | 'only_baseline_right' | 'only_others_right' | 'all_wrong';

/** Address `compare/records`: the answers of the runs side by side, one row per record of the first run. */
export interface ComparedRecordsPayload {
  readonly runs: readonly RunLine[];
  /** Null, with a reason, if the runs cannot be paired; `rows` is empty then. */
  readonly reason: string | null;
  /** What makes an answer right: a metric, usually the primary endpoint (`decision_accuracy`), or `items` for open questions. Null if the runs cannot be paired. */
  readonly by: string | null;
  /** Records by what `show` can name, under the same `text`. */
  readonly counts: Readonly<Record<ComparedShow, number>>;
  /** Matches on all pages. */
  readonly total: number;
  readonly rows: readonly ComparedRecord[];
}

/** A record and what each run made of it. */
export interface ComparedRecord {
  readonly id: string;
  /** Null for open questions. */
  readonly label: string | null;
  /** What the case calls for; null for open questions. */
  readonly case_kind: CaseKind | null;
  /** The question of an open question; null for labels, and where the file does not have it. */
  readonly question: string | null;
  /** Whether the runs answered differently: another label or outcome, or another verdict on an item. */
  readonly differs: boolean;
  /** One entry per run, in the order of `runs`. */
  readonly sides: readonly ComparedSide[];
  /** The items of an open question with the verdict on each run; empty for labels. */
  readonly items: readonly ComparedItem[];
}

/** What one run made of a record. */
export interface ComparedSide {
  /** Whether the answer counts as right, with repeats in more than half of them; null if it is not scored. For open questions: whether all scored items are right. */
  readonly right: boolean | null;
  /** One per repeat; empty if the run does not have the record. */
  readonly answers: readonly ComparedAnswer[];
}

interface ComparedAnswer {
  readonly repeat: number;
  /** The class in the ledger. */
  readonly outcome: string;
  /** How the decision turned out; null for open questions, and for a record that was not asked. */
  readonly decision_class: DecisionClass | null;
  readonly prediction: string | null;
  readonly confidence: number | null;
  /** The reply to an open question; null for labels, and where it is not stored or may not be shown. */
  readonly text: string | null;
}

export interface ComparedItem {
  readonly id: string;
  readonly trait: string;
  readonly kind: string;
  /** Null where it may not be shown. */
  readonly instruction: string | null;
  /** One entry per run: the verdicts of its repeats, and whether the item counts as right in more than half of them; null if it is not scored. */
  readonly sides: readonly { readonly verdicts: readonly string[]; readonly right: boolean | null }[];
  /** Whether one run has the item right and another one has not; with repeats: more often by more than half of them. */
  readonly differs: boolean;
}

/** Address `suites/:suite`: the models of a suite side by side, and their scores over their runs. Hidden runs are counted only. */
export interface SuitePayload {
  readonly suite: string;
  readonly n_runs: number;
  readonly n_models: number;
  readonly n_hidden: number;
  /** The newest run of each model. */
  readonly newest: SuiteModels;
  /** All runs; null where they are the same. */
  readonly all: SuiteModels | null;
  /** A model each, the one with most runs first. */
  readonly histories: readonly SuiteHistory[];
}

export interface SuiteModels {
  readonly section: Section;
  /** The runs that a comparison of them takes; empty where there are fewer than two. */
  readonly compared: readonly string[];
}

export interface SuiteHistory {
  /** The model, with its arm. */
  readonly model: string;
  readonly n_runs: number;
  /** The scores to choose from, the primary endpoint first. */
  readonly scores: readonly { readonly name: string; readonly label: string; readonly section: Section }[];
}

type AnswerObject = ReturnType<typeof answerObject>;

/** Address `runs/:id/questions`: a run on open questions with its answers. */
export interface QuestionsPayload extends ShownReport {
  readonly run: RunLine;
  /** As in `RunPayload`. */
  readonly verification: VerificationMark;
  /** As in `RunPayload`. */
  readonly hides_text: boolean;
  readonly has_jury: boolean;
  /** What every judge said of every item, pass by pass; `evaluation_results` has the verdicts that are scored. */
  readonly said: readonly {
    readonly judge: string;
    readonly id: string;
    readonly repeat: number;
    readonly item_id: string;
    readonly verdicts: readonly string[];
  }[];
  readonly evaluation_results: readonly AnswerObject[];
}

/** The answer to a token: the page sends the key along with the cookie. */
export interface SessionPayload {
  readonly key: string;
}

/** The body of a response with status 400, 403, 404, 405 or 500. */
export interface ErrorPayload {
  readonly error: string;
}
