import type { Bounds, Interval } from '../../core/index.ts';
import { builtInMetric, confidenceStatus, type MetricScore } from '../../metrics/index.ts';
import { wilsonWithZ } from '../../statistics/index.ts';

/**
 * How far a value on confidences could move, had `m` more rows been answered: new bounds from the value, its n, and m. Each holds whatever
 * those rows had said.
 * - ECE: n ECE is a sum of |sum of z - c| over bins, and one row moves one of these sums by at most 1.
 * - Brier: every row adds between 0 and 1 to n Brier.
 * - AUGRC: n^2 AUGRC counts pairs in which a wrong answer is accepted before another row; m rows add none when they are right and surest,
 *   and at most m n + m^2 / 2 when they are wrong and surest.
 * Rows that would have abstained only bring n back, so every smaller number of rows is tried as well.
 */
const MOVES: Readonly<Record<string, (value: number, n: number, m: number) => Bounds>> = {
  expected_calibration_error: (value, n, m) => ({
    lower: Math.max(0, n * value - m) / (n + m),
    upper: Math.min(1, (n * value + m) / (n + m)),
  }),
  brier_score: brier,
  brier_top_label: brier,
  augrc: (value, n, m) => ({
    lower: (n * n * value) / (n + m) ** 2,
    upper: (n * n * value + m * n + (m * m) / 2) / (n + m) ** 2,
  }),
};

function brier(value: number, n: number, m: number): Bounds {
  return { lower: (n * value) / (n + m), upper: (n * value + m) / (n + m) };
}

/**
 * The range a score could have had, had the rows that failed on us been answered: its bounds where it has them, a range by arithmetic for a
 * few scores on confidences, null for the rest. Without failed rows it is the value itself.
 */
export function possibleValues(score: MetricScore, nFailed: number): Bounds | null {
  if (score.value === null) return null;
  if (nFailed === 0) return { lower: score.value, upper: score.value };
  if (score.bounds !== null) return score.bounds;
  // A score with bounds has none only where no failed row is of its kind.
  if (builtInMetric(score.name)?.bounded) return { lower: score.value, upper: score.value };
  if (score.name === 'confidence_inverted') return possibleInversion(score, nFailed);
  const move = MOVES[score.name.replace(/_answerable$/, '')];
  if (move === undefined) return null;
  let { lower, upper } = { lower: score.value, upper: score.value };
  for (let m = 1; m <= nFailed; m++) {
    const moved = move(score.value, score.nEvaluated, m);
    lower = Math.min(lower, moved.lower);
    upper = Math.max(upper, moved.upper);
  }
  return { lower, upper };
}

const MAX_TRIED = 1000;

/**
 * Whether confidence could be inverted, or not inverted, had the failed rows been answered. They lower the AUROC most as surest errors and
 * unsurest right answers, and raise it most the other way round; its interval is moved as far.
 */
function possibleInversion({ value, nEvaluated: n, details }: MetricScore, nFailed: number): Bounds {
  const errors = Number(details.n_errors ?? 0);
  const auroc = (details.auroc ?? null) as number | null;
  const interval = details.auroc_interval as readonly [number, number] | null;
  // The search is quadratic; beyond this many failed rows nothing is claimed.
  if (nFailed > MAX_TRIED) return { lower: 0, upper: 1 };
  const statuses = [value];
  for (let m = 1; m <= nFailed; m++)
    for (let wrong = 0; wrong <= m; wrong++) {
      const [nErrors, nRight] = [errors + wrong, n - errors + m - wrong];
      const kept = (errors * (n - errors)) / Math.max(1, nErrors * nRight);
      const ends = auroc === null ? [0, 1] : [auroc * kept, 1 - (1 - auroc) * kept];
      for (const moved of ends) {
        const by = moved - (auroc ?? moved);
        const bounds = interval === null ? null : ([interval[0] + by, interval[1] + by] as const);
        const status = confidenceStatus({ nUsable: n + m, nErrors, auroc: moved, interval: bounds }).status;
        statuses.push(status === 'inverted' ? 1 : 0);
      }
    }
  const found = statuses.map(Number);
  return { lower: Math.min(...found), upper: Math.max(...found) };
}

/**
 * The same for a bound of the interval. A Wilson interval is computed around the lowest and the highest possible share, with the n of the
 * rows that are there (more rows would make it narrower, so this errs towards "cannot be decided"), over clusters with their design
 * effect; any other interval is moved as far as the value could move.
 */
export function possibleBounds(score: MetricScore, side: 'lower' | 'upper', nFailed: number): Bounds | null {
  const { value, interval } = score;
  if (value === null || interval === null) return null;
  const values = possibleValues(score, nFailed);
  if (values === null) return null;
  const at = (moved: number): number => {
    if (moved === value) return interval[side];
    if (!interval.method.startsWith('wilson')) return interval[side] + (moved - value);
    const drawn = wilsonWithZ(Math.min(1, Math.max(0, moved)), 1, Math.sqrt(squareOverN(value, interval)));
    return drawn![side === 'lower' ? 0 : 1];
  };
  return { lower: at(values.lower), upper: at(values.upper) };
}

/** z^2 / n of a Wilson interval of the share p, on which alone it depends: a limit x solves (x - p)^2 = z^2 / n x (1 - x). */
function squareOverN(p: number, { lower, upper }: Pick<Interval, 'lower' | 'upper'>): number {
  const x = p < 0.5 ? upper : lower;
  return (x - p) ** 2 / (x * (1 - x));
}
