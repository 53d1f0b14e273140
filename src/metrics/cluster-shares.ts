import type { ClusterSum } from '../statistics/index.ts';
import { pickRows } from './columns.ts';
import type { Metric } from './metric.ts';
import type { Plan } from './resample.ts';
import { Sample } from './sample.ts';
import { shareScoresOf } from './share-scores.ts';

/**
 * The successes and rows that each cluster adds to a share, without clusters that add no row. Null where the share is not the sum of its
 * clusters.
 */
export function clusterSums(metric: Metric, sample: Sample, plan: Plan): readonly ClusterSum[] | null {
  const sums = metric.restsOn === 'counts' ? fromRows(metric, sample, plan) : fromParts(metric, sample, plan);
  if (sums === null) return null;
  const counted = sums.filter(({ n }) => n > 0);
  const whole = metric.proportion!(sample);
  const total = (of: (own: ClusterSum) => number) => counted.reduce((sum, own) => sum + of(own), 0);
  const isSum = total(({ n }) => n) === whole.n && total(({ sum }) => sum) === whole.successes;
  return isSum ? counted : null;
}

/** Rows of one kind are looked at once. */
function fromRows(metric: Metric, sample: Sample, plan: Plan): readonly ClusterSum[] | null {
  const scores = shareScoresOf(metric, sample);
  if (scores === null) return null;
  return Array.from({ length: plan.nUnits }, (_, unit) => {
    const rows = plan.rowsOf(unit);
    let [sum, n] = [0, 0];
    for (let i = 0; i < rows.length; i++) {
      const score = scores[rows[i]!]!;
      if (Number.isNaN(score)) continue;
      sum += score;
      n += 1;
    }
    return { sum, n };
  });
}

function fromParts(metric: Metric, { columns }: Sample, plan: Plan): readonly ClusterSum[] {
  return Array.from({ length: plan.nUnits }, (_, unit) => {
    const { successes, n } = metric.proportion!(Sample.from(pickRows(columns, plan.rowsOf(unit))));
    return { sum: successes, n };
  });
}
