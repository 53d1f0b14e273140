import type { ConfidenceSource } from '../analyses/confidence-sources/source-rows.ts';
import type { PanelLabel } from '../analyses/review/panel.ts';
import type { Label } from '../core/label.ts';
import type { Metric } from '../metrics/metric.ts';
import type { ScoringOptions } from '../metrics/score.ts';
import type { HumanLabel } from '../rubrics/calibration/human-labels.ts';
import type { Review } from '../store/review/review-schema.ts';
import type { Exclusions } from '../suites/exclusions.ts';
import type { RunResult } from './run-result.ts';

/** Options of analyses, by the id of the analysis and the name of the option. */
export type AnalysisOptions = Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>;

/** What may be scored otherwise than when the run was made. */
export interface ReadRunOptions {
  /** Bootstrap resamples; 0 leaves bootstrap intervals out. Default: as the run was scored. */
  readonly resamples?: number | undefined;
  /** How many metrics. Default: as the run was scored. */
  readonly bundle?: ScoringOptions['bundle'] | undefined;
  /** Metrics in place of a bundle. */
  readonly metrics?: readonly Metric[] | undefined;
  /** Metadata keys to compare groups by. Default: as the run was scored. */
  readonly groupBy?: readonly string[] | undefined;
  /** The metadata key whose rows are drawn together; `id`: rows of one record. Default: as the run was scored; records that shared a call. */
  readonly cluster?: string | undefined;
  /** The labels whose choice means to act today, for a run that names none. Default: those of the run. */
  readonly actLabels?: readonly Label[] | undefined;
  /** Confidence level of the intervals. Default: as the run was scored. */
  readonly level?: number | undefined;
  /** Share of must-defer rows, between 0 and 1, at which decision accuracy is stated besides the suite's own. Default: 0.1. */
  readonly prevalence?: number | undefined;
  /** Where confidence comes from: as stated; the share of repeats that agree, where a record is then one row decided by vote; or the probability of the label's tokens. Default: `stated`. */
  readonly confidenceFrom?: ConfidenceSource | undefined;
  /** Open questions: whose verdicts to score. Default: the latest judge of the run. */
  readonly judge?: string | undefined;
  /** Open questions: what people say of the same items; calibrates the judge. Labels refer to the first answer to a question. */
  readonly labels?: readonly HumanLabel[] | undefined;
  /** What people said of the run; null leaves it out. Default: the review file beside the run file, where there is one. */
  readonly review?: Review | null | undefined;
  /** Open questions: a reviewed run of the same judge and rubric, whose labels give the judge's error rates where this run has no labels of its own. Default: none. */
  readonly labelledRun?: Pick<RunResult, 'judging' | 'review'> | undefined;
  /** Labels: what clinicians decided on records of the suite, beside what the run's own review holds. Default: none. */
  readonly panel?: readonly PanelLabel[] | undefined;
  /** Options of analyses, by their ids: `{ threshold: { risk: 0.1 } }`. Default: those of each analysis. */
  readonly analyses?: AnalysisOptions | undefined;
  /** Records that people found wrong: the run is scored without them, as a run of the suite without them. Default: none. */
  readonly exclude?: Exclusions | undefined;
}
