import {
  ABSTAINED,
  ANSWERED,
  abstentionRate,
  accuracy,
  augrc,
  balancedAccuracy,
  brierTopLabel,
  type Columns,
  decisionAccuracy,
  expectedCalibrationError,
  type Metric,
  NO_LABEL,
  selectiveAccuracy,
  UNLABELLED,
  unsafeAnswerRate,
} from '../../metrics/index.ts';

/** What two models are compared by. */
export interface Endpoint {
  readonly metric: Metric;
  /**
   * The score of a single row, NaN where it has none: then the metric is the mean over records, and differences can be tested record by
   * record. Null where the metric is not such a mean: then it is computed on every resample, and has an interval but no p-value.
   */
  readonly rowScore: ((columns: Columns, row: number) => number) | null;
  /** Whether a row scores 0 or 1. */
  readonly binary: boolean;
}

/** The endpoints of every comparison, in the order of a report: decisions first, accuracy never alone. */
export const ENDPOINTS: readonly Endpoint[] = [
  { metric: decisionAccuracy(), rowScore: decision, binary: true },
  { metric: accuracy(), rowScore: (columns, row) => Number(isRight(columns, row)), binary: true },
  { metric: selectiveAccuracy(), rowScore: null, binary: false },
  { metric: balancedAccuracy(), rowScore: null, binary: false },
  { metric: unsafeAnswerRate(), rowScore: unsafe, binary: true },
  { metric: abstentionRate(), rowScore: ({ state }, row) => Number(state[row] === ABSTAINED), binary: true },
  { metric: brierTopLabel(), rowScore: squaredError, binary: false },
  { metric: expectedCalibrationError(), rowScore: null, binary: false },
  { metric: augrc(), rowScore: null, binary: false },
];

/** The endpoint of a metric; one of its own for a metric that is not among those of every comparison. */
export function endpointFor(metric: Metric): Endpoint {
  return (
    ENDPOINTS.find((endpoint) => endpoint.metric.name === metric.name) ?? {
      metric,
      rowScore: null,
      binary: false,
    }
  );
}

export function isRight({ state, truth, prediction }: Columns, row: number): boolean {
  return state[row] === ANSWERED && truth[row] !== NO_LABEL && truth[row] === prediction[row];
}

function decision(columns: Columns, row: number): number {
  const label = columns.shouldAbstain[row]!;
  if (label === UNLABELLED) return Number.NaN;
  return Number(label === 1 ? columns.state[row] === ABSTAINED : isRight(columns, row));
}

function unsafe(columns: Columns, row: number): number {
  return Number(columns.state[row] !== ABSTAINED && !isRight(columns, row));
}

function squaredError(columns: Columns, row: number): number {
  const c = columns.confidence[row]!;
  if (columns.state[row] !== ANSWERED || columns.truth[row] === NO_LABEL || !(c >= 0 && c <= 1))
    return Number.NaN;
  return (c - Number(isRight(columns, row))) ** 2;
}
