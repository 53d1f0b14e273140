import type { Score } from '../../core/index.ts';
import type { JudgeCalibration, PassAgreement } from '../../rubrics/index.ts';
import type { JudgeLedger } from './judge-ledger.ts';
import type { JudgedAnswer } from './judged-answer.ts';
import type { JudgesAgreement } from './judges-agreement.ts';
import type { ListLevelTrait } from './list-level.ts';
import type { JudgePresent } from './stored-judgements.ts';
import type { MetricTraitSummary } from './summarise-metric-traits.ts';
import type { OtherTraitSummary } from './summarise-other-traits.ts';

/** What the judge said of the answers to open questions. */
export interface Judging {
  readonly judge: JudgeReport;
  readonly metricTraits: readonly MetricTraitSummary[];
  readonly otherTraits: readonly OtherTraitSummary[];
  /** Metric traits by the judge's own lists, where the second protocol was asked for as well. */
  readonly listLevel: readonly ListLevelTrait[];
  /** Answer rate, abstention rate, and how abstaining agrees with `should_abstain`. */
  readonly abstention: readonly Score[];
  /** In the order of the suite, repeat by repeat. */
  readonly answers: readonly JudgedAnswer[];
  /** Where answers were sent to be judged; null where nothing left the machine. */
  readonly judgeEgress: Readonly<Record<string, unknown>> | null;
  /** The pass of the judge that is scored; the others show how reliable it is. */
  readonly scoredPass: number;
  /** How many labels of people were given to calibrate the judge; null where none were. */
  readonly nLabels: number | null;
}

/** Who judged, and how far they can be trusted. */
export interface JudgeReport {
  /** The judges whose verdicts are scored. Several where traits were added by another judge; none before the answers are judged. */
  readonly names: readonly string[];
  /** All judges whose judgements the run holds. */
  readonly judges: readonly JudgePresent[];
  /** The items of all answers by their class; the classes sum to `n`. */
  readonly ledger: JudgeLedger;
  /** How far each judge agrees with itself over passes. */
  readonly reliability: readonly JudgeReliability[];
  /** How far two judges agree, for every two. */
  readonly between: readonly JudgesAgreement[];
  /** Against people's labels; null while no label matches an item that was judged: the judge is not calibrated. */
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
