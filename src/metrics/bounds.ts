import type { Bounds } from '../core/score.ts';
import { ABSTAINED, ANSWERED, type Columns, INVALID, joined, type RowTable } from './columns.ts';
import { NO_LABEL } from './label-table.ts';
import type { Metric, MetricScore } from './metric.ts';
import { estimateMetric } from './metric.ts';
import { Sample } from './sample.ts';

/** The first label there is; only whether there is one matters. */
const SOME_LABEL = 0;

/** How failed rows could have ended. Each of these is the best case of some metric and the worst case of another. */
const ENDINGS = [
  'right',
  'answered',
  'answered_wrong',
  'unusable',
  'abstained',
  'as_they_should',
  'as_they_should_not',
] as const;

/** Either may be said of an emergency and of a case that is none, whatever the answer is. */
const URGENCIES = ['as_needed', 'not_as_needed'] as const;

/**
 * Adds to every bounded score its range over the best and the worst answers that the failed rows could have had.
 * Without failed rows the scores are returned unchanged. Confidence metrics have no bounds: a failed row has no confidence.
 */
export function withBounds(
  scores: readonly MetricScore[],
  metrics: readonly Metric[],
  table: RowTable,
): MetricScore[] {
  if (table.unscored.n === 0) return [...scores];
  const samples = ENDINGS.flatMap((ending) =>
    URGENCIES.map((urgency) => Sample.from(together(table.scored, ended(table.unscored, ending, urgency)))),
  );
  return scores.map((score, m) => {
    const range = computeBounds(metrics[m]!, samples);
    // No failed row is of the kind that the score is about.
    const isFixed = range !== null && range.lower === score.value && range.upper === score.value;
    const bounds = isFixed ? null : range;
    if (!metrics[m]!.bounded || score.value !== null || score.nEvaluated > 0) return { ...score, bounds };
    // A share without a scored row in its denominator says so. Where no ending of the failed rows gives it a value, the reason counts them too:
    // emergencies whose calls failed are emergencies all the same.
    const reason = bounds === null ? String(estimateMetric(metrics[m]!, samples[0]!)) : 'all_rows_failed';
    return { ...score, bounds, reason };
  });
}

function computeBounds(metric: Metric, samples: readonly Sample[]): Bounds | null {
  if (!metric.bounded) return null;
  const values = samples
    .map((sample) => estimateMetric(metric, sample))
    .filter((value) => typeof value === 'number');
  return values.length === 0 ? null : { lower: Math.min(...values), upper: Math.max(...values) };
}

function ended(
  columns: Columns,
  ending: (typeof ENDINGS)[number],
  urgency: (typeof URGENCIES)[number],
): Columns {
  const state = new Uint8Array(columns.n);
  const urgent = new Uint8Array(columns.n);
  const prediction = new Int32Array(columns.n);
  for (let i = 0; i < columns.n; i++) {
    const shouldDefer = columns.shouldAbstain[i] === 1;
    const hasAnswer = columns.truth[i] !== NO_LABEL;
    const abstains =
      ending === 'abstained' ||
      // Without a true label there is no right answer: the best is not to answer.
      (ending === 'right' && !hasAnswer) ||
      (ending === 'as_they_should' && shouldDefer) ||
      (ending === 'as_they_should_not' && columns.shouldAbstain[i] === 0);
    const right = ['right', 'answered', 'as_they_should'].includes(ending) && hasAnswer;
    // Some label, where no answer exists; a wrong one is no label at all, so that it equals no truth.
    const usable = right || ending === 'answered' || ending === 'answered_wrong';
    state[i] = abstains ? ABSTAINED : usable ? ANSWERED : INVALID;
    prediction[i] = right ? columns.truth[i]! : ending === 'answered' && !hasAnswer ? SOME_LABEL : NO_LABEL;
    if (abstains) prediction[i] = NO_LABEL;
    urgent[i] = Number((columns.mustAct[i] === 1) === (urgency === 'as_needed') && state[i] !== INVALID);
  }
  return { ...columns, state, prediction, urgent };
}

function together(a: Columns, b: Columns): Columns {
  const n = a.n + b.n;
  // Bounds need neither ids nor metadata.
  const none = { codes: new Int32Array(n).fill(NO_LABEL), values: [], originals: [] };
  return {
    ...a,
    n,
    state: joined(a.state, b.state),
    truth: joined(a.truth, b.truth),
    prediction: joined(a.prediction, b.prediction),
    confidence: joined(a.confidence, b.confidence),
    shouldAbstain: joined(a.shouldAbstain, b.shouldAbstain),
    mustAct: joined(a.mustAct, b.mustAct),
    urgent: joined(a.urgent, b.urgent),
    nearLine: joined(a.nearLine, b.nearLine),
    grounding: joined(a.grounding, b.grounding),
    record: none,
    metadata: new Map([...a.metadata.keys()].map((key) => [key, none])),
  };
}
