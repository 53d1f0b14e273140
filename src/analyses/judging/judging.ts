import type { Score } from '../../core/score.ts';
import type { ClaimReport } from './claims.ts';
import type { ItemScores } from './item-scores/item-scores.ts';
import type { JudgeReport } from './judge-report.ts';
import type { JudgedAnswer } from './judged-answers.ts';
import type { Jury } from './jury.ts';
import type { ListLevelTrait } from './list-level.ts';
import type { MetricTraitSummary, OtherTraitSummary } from './summarise-traits.ts';

/** What the judge said of the answers to open questions. */
export interface Judging {
  readonly judge: JudgeReport;
  readonly metricTraits: readonly MetricTraitSummary[];
  readonly otherTraits: readonly OtherTraitSummary[];
  /** The jury whose verdicts are scored; null for a single judge. */
  readonly jury: Jury | null;
  /** Scores by what items weigh: points, critical items, harm, contradictions; over all, by axis and by tag. */
  readonly itemScores: ItemScores;
  /** Claims that match no item, checked against a source; null where no source was given. */
  readonly claims: ClaimReport | null;
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
  /** Whether the run was started with conditions that accept a judge that is not calibrated. */
  readonly isUncalibratedAllowed: boolean;
}
