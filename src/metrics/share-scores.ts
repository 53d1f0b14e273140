import { type Columns, pickRows } from './columns.ts';
import type { Metric } from './metric.ts';
import { Sample } from './sample.ts';

/**
 * What each row adds to a share: 1 for a success, 0 for a failure, NaN for a row that does not count. Rows that a metric of counts cannot tell
 * apart are looked at once. Null for a share that is no sum over rows.
 */
export function shareScores(metric: Metric, columns: Columns): Float64Array | null {
  return shareScoresOf(metric, Sample.from(columns));
}

/** The same for a sample that has counted its cells already. */
export function shareScoresOf({ proportion, restsOn }: Metric, sample: Sample): Float64Array | null {
  const { columns } = sample;
  const scoreOf = (row: number) => {
    const { successes, n } = proportion!(Sample.from(pickRows(columns, [row])));
    return n === 0 ? Number.NaN : successes / n;
  };
  const known = new Map<number, number>();
  const scores = Float64Array.from({ length: columns.n }, (_, row) => {
    const kind = restsOn === 'counts' ? sample.cells.of[row]! : row;
    if (!known.has(kind)) known.set(kind, scoreOf(row));
    return known.get(kind)!;
  });
  const counted = scores.filter((score) => !Number.isNaN(score));
  const whole = proportion!(sample);
  const sum = counted.reduce((total, score) => total + score, 0);
  return counted.length === whole.n && Math.abs(sum - whole.successes) < 1e-9 * (1 + sum) ? scores : null;
}
