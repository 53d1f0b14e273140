import { z } from 'zod';
import { getStratum } from '../../core/patient-record.ts';
import type { GroupDot } from '../../metrics/figures/group-dots.ts';
import type { ReliabilityBin } from '../../metrics/figures.ts';
import type { Metric, MetricScore } from '../../metrics/metric.ts';
import { builtInMetric } from '../../metrics/registry.ts';
import { wilsonInterval } from '../../statistics/proportions.ts';

const count = z.int().min(0);
const share = z.number().min(0).max(1);
const bin = z.object({
  low: share,
  high: share,
  count,
  mean_confidence: share.nullable(),
  accuracy: share.nullable(),
});
const confusion = z.object({
  defer_when_needed: count,
  answer_when_safe: count,
  answer_when_should_defer: count,
  abstain_when_should_answer: count,
});

type Scores = ReadonlyMap<string, MetricScore>;

/** What can be drawn of a result that was published without its rows; null where it holds none. Intervals are Wilson's, from the counts that the file states; without a count there is none. */
export function publishedFigures(scores: Scores, level: number) {
  const figures = {
    reliability: readReliability(scores, level),
    deferral: confusion.safeParse(scores.get('deferral_alignment')?.details.confusion).data ?? null,
    dots: readDots(scores, level),
  };
  const isEmpty = figures.reliability.length + figures.dots.length === 0 && figures.deferral === null;
  return isEmpty ? null : figures;
}

function readReliability(scores: Scores, level: number): ReliabilityBin[] {
  const { data = [] } = z.array(bin).safeParse(scores.get('expected_calibration_error')?.details.bins);
  return data.map((found, i) => {
    const { accuracy, mean_confidence: mean, count: n } = found;
    const right = accuracy === null ? null : accuracy * n;
    const interval = right !== null && isWhole(right) ? wilsonInterval(Math.round(right), n, level) : null;
    const gap = accuracy === null || mean === null ? null : Math.abs(accuracy - mean);
    return { ...found, bin: i, gap, lower: interval?.[0] ?? null, upper: interval?.[1] ?? null };
  });
}

const SHARES: readonly (readonly [
  metric: string,
  of: (counts: StratumCounts) => readonly [number, number],
])[] = [
  ['accuracy', ({ correct, n }) => [correct, n]],
  ['selective_accuracy', ({ correct, n, abstained }) => [correct, n - abstained]],
  ['abstention_rate', ({ abstained, n }) => [abstained, n]],
];

function readDots(scores: Scores, level: number): GroupDot[] {
  const { key, label } = getStratum(null);
  const accuracy = scores.get('accuracy');
  const groups = Object.keys(accuracy?.breakdown ?? {});
  const counts = readCounts(scores, groups);
  return SHARES.flatMap(([metric, shareOf]) =>
    groups.flatMap((group, i): GroupDot[] => {
      const value = scores.get(metric)?.breakdown[group];
      if (value === undefined) return [];
      const [successes, n] = counts === null ? [null, 0] : shareOf(counts[i]!);
      const interval = successes === null ? null : wilsonInterval(successes, n, level);
      const [lower = null, upper = null] = interval ?? [];
      const name = group.startsWith(`${label}_`) ? group.slice(label.length + 1) : group;
      return [{ metric, by: key, group: name, n, n_successes: successes, value, lower, upper }];
    }),
  );
}

function readCounts(scores: Scores, groups: readonly string[]): readonly StratumCounts[] | null {
  const [accuracy, abstention] = [scores.get('accuracy'), scores.get('abstention_rate')];
  if (accuracy?.value == null || abstention?.value == null || accuracy.nEvaluated !== abstention.nEvaluated)
    return null;
  const n = accuracy.nEvaluated;
  const strata = groups.map((group) => ({
    accuracy: accuracy.breakdown[group] ?? Number.NaN,
    abstentionRate: abstention.breakdown[group] ?? Number.NaN,
  }));
  const correct = Math.round(accuracy.value * n);
  return strataCounts(strata, { n, correct, abstained: Math.round(abstention.value * n) });
}

/** Whether the counts behind a share follow from its value and the rows that the file states: others rest on some of these. */
function isShareOfRows({ proportion, fixedDenominator, answeredOnly }: Partial<Metric> = {}): boolean {
  return proportion !== undefined && (fixedDenominator === true || answeredOnly === true);
}

/** A published score with Wilson's interval, where it is a share whose counts the file states. Which rows shared a prompt is not known, so they count as independent. */
export function withPublishedInterval(score: MetricScore, level: number): MetricScore {
  const { name, value, nEvaluated } = score;
  const successes = value === null ? Number.NaN : value * nEvaluated;
  const isShare = isShareOfRows(builtInMetric(name)) && nEvaluated > 0 && isWhole(successes);
  const interval = isShare ? wilsonInterval(Math.round(successes), nEvaluated, level) : null;
  if (interval === null) return { ...score, interval: null, intervalReason: 'imported_without_rows' };
  const [lower, upper] = interval;
  return {
    ...score,
    nSuccesses: Math.round(successes),
    interval: { lower, upper, level, method: 'wilson', resamples: null, unit: 'row' },
    intervalReason: null,
  };
}

/** The rows of one stratum, as far as published shares show them. */
interface StratumCounts {
  readonly n: number;
  readonly correct: number;
  readonly abstained: number;
}

const MAX_TRIES = 100_000;
const CLOSE = 1e-6;

/**
 * The counts behind published shares: the smallest number of rows that makes whole counts of the shares of a stratum, times whole numbers such that all strata add up to the totals. Null
 * where no counts do, or several: then the file does not say how many rows a stratum has.
 *
 * @example
 * ```ts
 * strataCounts([{ accuracy: 0.75, abstentionRate: 0.25 }, { accuracy: 0.5, abstentionRate: 0 }], { n: 6, correct: 4, abstained: 1 })
 * // => [{ n: 4, correct: 3, abstained: 1 }, { n: 2, correct: 1, abstained: 0 }]
 * ```
 */
export function strataCounts(
  strata: readonly { readonly accuracy: number; readonly abstentionRate: number }[],
  totals: StratumCounts,
): readonly StratumCounts[] | null {
  const smallest = strata.map((shares) => smallestCounts(shares, totals.n));
  if (smallest.length === 0 || smallest.some((counts) => counts === null)) return null;
  const units = smallest as readonly StratumCounts[];
  const found: (readonly number[])[] = [];
  let tries = 0;
  const search = (times: readonly number[], left: StratumCounts): void => {
    tries += 1;
    if (found.length > 1 || tries > MAX_TRIES) return;
    const unit = units[times.length];
    if (unit === undefined) {
      if (left.n === 0 && left.correct === 0 && left.abstained === 0) found.push(times);
      return;
    }
    const isLast = times.length === units.length - 1;
    const most = Math.floor(left.n / unit.n);
    for (let factor = isLast ? Math.max(1, most) : 1; factor <= most; factor++)
      search([...times, factor], less(left, unit, factor));
  };
  search([], totals);
  if (found.length !== 1 || tries > MAX_TRIES) return null;
  return units.map((unit, i) => multiple(unit, found[0]![i]!));
}

function smallestCounts(
  { accuracy, abstentionRate }: { readonly accuracy: number; readonly abstentionRate: number },
  most: number,
): StratumCounts | null {
  for (let n = 1; n <= most; n++) {
    const [correct, abstained] = [accuracy * n, abstentionRate * n];
    if (isWhole(correct) && isWhole(abstained))
      return { n, correct: Math.round(correct), abstained: Math.round(abstained) };
  }
  return null;
}

/** Whether a product of a published share is a whole number but for rounding. */
function isWhole(value: number): boolean {
  return Math.abs(value - Math.round(value)) < CLOSE;
}

function multiple({ n, correct, abstained }: StratumCounts, factor: number): StratumCounts {
  return { n: n * factor, correct: correct * factor, abstained: abstained * factor };
}

function less(left: StratumCounts, unit: StratumCounts, factor: number): StratumCounts {
  const taken = multiple(unit, factor);
  return {
    n: left.n - taken.n,
    correct: left.correct - taken.correct,
    abstained: left.abstained - taken.abstained,
  };
}
