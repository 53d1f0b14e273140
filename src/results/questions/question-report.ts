import type { MetricScore, Warning } from '../../metrics/index.ts';
import type { JudgeCalibration, PassAgreement } from '../../rubrics/index.ts';
import type { RunExtras } from '../run-report.ts';
import type { JudgeLedger } from './judge-ledger.ts';
import type { JudgedAnswer } from './judged-answer.ts';
import type { JudgesAgreement } from './judges-agreement.ts';
import type { ListLevelTrait } from './list-level.ts';
import type { RowLedger } from './row-ledger.ts';
import type { JudgePresent } from './stored-judgements.ts';
import type { MetricTraitSummary } from './summarise-metric-traits.ts';
import type { OtherTraitSummary } from './summarise-other-traits.ts';

/** Everything a report says of one run of open questions. Plain data: nothing has to be closed, and reports only format it. */
export interface QuestionReport {
  readonly path: string;
  readonly backendName: string;
  readonly suiteName: string;
  readonly suiteHash: string | null;
  /** The suite's description in its file form. */
  readonly suite: Readonly<Record<string, unknown>>;
  readonly sensitivity: string | null;
  /** `complete`, `interrupted`, `stopped`, or `running` while somebody writes it. */
  readonly status: string;
  readonly stoppedBecause: string | null;
  readonly createdAt: string | null;
  readonly krisisVersion: string | null;
  /** Of the order in which a judge is asked for items; that of the intervals is in `method`. */
  readonly seed: number | null;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly egress: Readonly<Record<string, unknown>> | null;
  readonly judgeEgress: Readonly<Record<string, unknown>> | null;
  /** Set for answers that were recorded elsewhere. */
  readonly recorded: Readonly<Record<string, unknown>> | null;
  readonly repeats: number;
  readonly nQuestions: number;
  readonly extras: RunExtras;
  /** What became of the rows: one for each question and repeat. */
  readonly ledger: RowLedger;
  readonly judge: JudgeReport;
  readonly metricTraits: readonly MetricTraitSummary[];
  readonly otherTraits: readonly OtherTraitSummary[];
  /** Metric traits by the judge's own lists, where the second protocol was asked for as well. */
  readonly listLevel: readonly ListLevelTrait[];
  /** Answer rate, abstention rate, and how abstaining agrees with `should_abstain`. */
  readonly abstention: readonly MetricScore[];
  /** In the order of the suite, repeat by repeat. */
  readonly answers: readonly JudgedAnswer[];
  readonly warnings: readonly Warning[];
  readonly method: {
    readonly level: number;
    readonly resamples: number;
    readonly seed: number;
    readonly generator: 'xoroshiro128plus';
    /** What a bootstrap draws. */
    readonly unit: 'question';
    /** The pass of the judge that is scored; the others tell how reliable it is. */
    readonly scoredPass: number;
  };
}

/** Who judged, and how far they can be trusted. */
export interface JudgeReport {
  /** Whose verdicts are scored. Several where traits were added by another judge; none before anybody has judged. */
  readonly names: readonly string[];
  /** All whose judgements the run holds. */
  readonly judges: readonly JudgePresent[];
  /** The items of all answers by what became of them; the classes sum to `n`. */
  readonly ledger: JudgeLedger;
  /** How far each judge agrees with itself over passes. */
  readonly reliability: readonly JudgeReliability[];
  /** How far two judges agree, for every two. */
  readonly between: readonly JudgesAgreement[];
  /** Against people's labels; null until there are some that fit: the judge is not calibrated. */
  readonly calibration: JudgeCalibration | null;
  /** Why `calibration` is null: `no_labels`, `no_label_fits`. */
  readonly calibrationReason: string | null;
}

export interface JudgeReliability extends Omit<PassAgreement, 'items'> {
  readonly judge: string;
  readonly passes: number;
  /** Items on which not all passes agree. */
  readonly flipped: readonly FlippedItem[];
}

interface FlippedItem {
  readonly id: string;
  readonly repeat: number;
  readonly itemId: string;
  /** Usable verdicts, in the order of passes. */
  readonly verdicts: readonly string[];
}
