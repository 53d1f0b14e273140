import {
  ANSWERED,
  abstentionRate,
  accuracy,
  answerableAccuracy,
  answeredShouldDeferRate,
  augrc,
  balancedAccuracy,
  brierTopLabel,
  type Columns,
  decisionAccuracy,
  decisionAccuracyClear,
  deferredWithoutNeedRate,
  expectedCalibrationError,
  falseAlarmRate,
  type Metric,
  meanScore,
  missedEmergencyRate,
  mustActAccuracy,
  mustActSilenceRate,
  NO_LABEL,
  rowScores,
  selectiveAccuracy,
  shareScores,
  unsafeDecisionRate,
  wrongAnswerRate,
} from '../../metrics/index.ts';

/** What two models are compared by. */
export interface Endpoint {
  readonly metric: Metric;
  /**
   * The score of every row, NaN where it has none: then the metric is the mean over records, and differences can be tested record by
   * record. Null where the metric is not such a mean: then it is computed on every resample, and has an interval but no p-value.
   */
  readonly rowScores: ((columns: Columns) => Float64Array | null) | null;
  /** Whether it is a share: a row scores 0 to 1, and the score interval fits. */
  readonly binary: boolean;
}

/** The endpoints of every comparison, in the order of a report: emergencies and harm first, then decisions, accuracy never alone. */
export const ENDPOINTS: readonly Endpoint[] = [
  missedEmergencyRate(),
  falseAlarmRate(),
  mustActSilenceRate(),
  mustActAccuracy(),
  unsafeDecisionRate(),
  answeredShouldDeferRate(),
  wrongAnswerRate(),
  deferredWithoutNeedRate(),
  decisionAccuracy(),
  decisionAccuracyClear(),
  answerableAccuracy(),
  meanScore(),
  accuracy(),
  selectiveAccuracy(),
  balancedAccuracy(),
  abstentionRate(),
  brierTopLabel(),
  expectedCalibrationError({ strict: true }),
  augrc({ strict: true }),
].map(endpointFor);

/** The endpoint of a metric. A share over all rows is compared row by row; one over answered rows only is not, since the models answer different rows. */
export function endpointFor(metric: Metric): Endpoint {
  if (metric.name === 'mean_score')
    return { metric, rowScores: (columns) => rowScores(columns) ?? unscored(columns), binary: true };
  if (metric.name === 'brier_top_label') return { metric, rowScores: squaredErrors, binary: false };
  const isShare = metric.proportion !== undefined && metric.answeredOnly !== true;
  return { metric, rowScores: isShare ? (columns) => shareScores(metric, columns) : null, binary: isShare };
}

function unscored({ n }: Columns): Float64Array {
  return new Float64Array(n).fill(Number.NaN);
}

function squaredErrors(columns: Columns): Float64Array {
  const { state, truth, prediction, shouldAbstain } = columns;
  return columns.confidence.map((c, row) => {
    const isUsable = state[row] === ANSWERED && c >= 0 && c <= 1;
    // An answer where no answer exists is wrong.
    if (!isUsable || (truth[row] === NO_LABEL && shouldAbstain[row] !== 1)) return Number.NaN;
    return (c - Number(truth[row] !== NO_LABEL && truth[row] === prediction[row])) ** 2;
  });
}
