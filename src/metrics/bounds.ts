import type { Bounds } from '../core/index.ts';
import { ABSTAINED, ANSWERED, type Columns, INVALID, joined, type RowTable } from './columns.ts';
import { NO_LABEL } from './label-table.ts';
import type { Metric, MetricScore } from './metric.ts';
import { Sample } from './sample.ts';
import { estimateOf } from './score-metrics.ts';

/** The first label there is; only whether there is one matters. */
const SOME_LABEL = 0;

/** How failed rows could have ended. Each of these is the best case of some metric and the worst case of another. */
const ENDINGS = ['right', 'answered', 'wrong', 'abstained', 'as_they_should', 'as_they_should_not'] as const;

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
  const samples = ENDINGS.map((ending) => Sample.from(together(table.scored, ended(table.unscored, ending))));
  return scores.map((score, m) => ({ ...score, bounds: boundsOf(metrics[m]!, samples) }));
}

function boundsOf(metric: Metric, samples: readonly Sample[]): Bounds | null {
  if (!metric.bounded) return null;
  const values = samples
    .map((sample) => estimateOf(metric, sample))
    .filter((value) => typeof value === 'number');
  return values.length === 0 ? null : { lower: Math.min(...values), upper: Math.max(...values) };
}

function ended(columns: Columns, ending: (typeof ENDINGS)[number]): Columns {
  const state = new Uint8Array(columns.n);
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
    // Some label, where no answer exists.
    const usable = right || ending === 'answered';
    // A wrong answer is any but the right one: an invalid answer is wrong for every metric.
    state[i] = abstains ? ABSTAINED : usable ? ANSWERED : INVALID;
    prediction[i] = abstains || !usable ? NO_LABEL : right ? columns.truth[i]! : SOME_LABEL;
  }
  return { ...columns, state, prediction };
}

function together(a: Columns, b: Columns): Columns {
  const n = a.n + b.n;
  // Bounds need neither ids nor metadata.
  const none = { codes: new Int32Array(n).fill(NO_LABEL), values: [] };
  return {
    ...a,
    n,
    state: joined(a.state, b.state),
    truth: joined(a.truth, b.truth),
    prediction: joined(a.prediction, b.prediction),
    confidence: joined(a.confidence, b.confidence),
    shouldAbstain: joined(a.shouldAbstain, b.shouldAbstain),
    mustAct: joined(a.mustAct, b.mustAct),
    grounding: joined(a.grounding, b.grounding),
    record: none,
    metadata: new Map([...a.metadata.keys()].map((key) => [key, none])),
  };
}
