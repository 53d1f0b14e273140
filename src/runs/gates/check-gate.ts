import type { Bounds, Interval } from '../../core/score.ts';
import { confidenceStatus } from '../../metrics/act/confidence-status.ts';
import type { MetricScore } from '../../metrics/metric.ts';
import { builtInMetric } from '../../metrics/registry.ts';
import type { Scorecard } from '../../metrics/score.ts';
import { clipShare } from '../../statistics/samples.ts';
import { wilsonWithZ } from '../../statistics/wilson-with-z.ts';
import { EDGE, type Gate, holds, isCorrected } from '../conditions/expression.ts';
import { PANEL_AGREEMENT } from '../conditions/metric-range.ts';
import type { GateVerdict } from '../conditions/verdict.ts';
import { casesForGate, neededText } from './cases-to-decide.ts';

/**
 * Whether a scorecard meets a condition. Three answers: a value that is not there cannot be judged, and neither can one that the failed rows
 * could have put on the other side of the limit; both are `undecided`.
 *
 * @example
 * ```ts
 * const rows = [evaluationResult({ prediction: 1, groundTruth: 1 }), evaluationResult({ prediction: 0, groundTruth: 1 })];
 * checkGate(parseGate('accuracy >= 0.9'), scoreTable(buildTable(rows)))
 * // => { text: 'accuracy >= 0.9', status: 'fail', message: 'accuracy is 0.500 (1/2)' }
 * ```
 */
export function checkGate(gate: Gate, card: Pick<Scorecard, 'scores' | 'n' | 'nScored'>): GateVerdict {
  const verdict = (status: GateVerdict['status'], message: string) => ({ text: gate.text, status, message });
  const score = card.scores.find(({ name }) => name === gate.metric);
  if (score === undefined) return verdict('undecided', `${gate.metric} ${whyMissing(gate.metric)}`);
  if (score.value === null)
    return {
      ...verdict('undecided', `${gate.metric} has no value (${words(score.reason)})`),
      ...(score.reason === 'all_rows_failed' && FAILED_ROWS),
      ...(score.reason === 'urgency_not_asked' && { reason: score.reason }),
    };
  if (score.ungateable) return verdict('undecided', `${gate.metric} cannot be gated: ${score.ungateable}`);
  const found = gate.of === 'value' ? score.value : score.interval?.[gate.of];
  if (found === undefined)
    return verdict('undecided', `${gate.metric} has no interval (${words(score.intervalReason)})`);
  const shown = describe(gate, score, found);
  const { n, nScored, unscored } = score.scoredOf ?? { ...card, unscored: 'cases failed or never ran' };
  const nFailed = n - nScored;
  if (nFailed === 0) {
    if (holds(found, gate)) return verdict('pass', shown);
    if (gate.of === 'value' || !holds(score.value, gate)) return verdict('fail', shown);
    return {
      ...verdict(
        'fail',
        `${shown}: the value meets it, but that is not shown${neededText(casesForGate(gate, score), 'show it')}`,
      ),
      reason: 'fail_not_shown',
    };
  }
  const because = `${nFailed} of ${n} ${unscored}`;
  const range =
    gate.of === 'value' ? possibleValues(score, nFailed) : possibleBounds(score, gate.of, nFailed);
  if (range === null)
    return {
      ...verdict('undecided', `${shown}, but ${because}, and how far they could move it is not known`),
      ...FAILED_ROWS,
    };
  const between = `had they been answered: ${number(range.lower, gate.limit)} to ${number(range.upper, gate.limit)}`;
  const status = statusOver(gate, range);
  return status === 'undecided'
    ? { ...verdict(status, `${shown}, but ${because}; ${between}`), ...FAILED_ROWS }
    : verdict(status, `${shown}; ${because}, ${between}`);
}

const FAILED_ROWS = { reason: 'failed_rows' } as const;

/** Why a score that a condition may name is not there. */
function whyMissing(metric: string): string {
  if (isCorrected(metric)) return 'is not corrected: no labels of people';
  if (metric === PANEL_AGREEMENT) return 'needs decisions of people on cases of the run';
  return 'was not computed';
}

/** The same answer everywhere in the range, or none. */
function statusOver(gate: Gate, { lower, upper }: { lower: number; upper: number }): GateVerdict['status'] {
  const ends = [holds(lower, gate), holds(upper, gate)];
  const straddles = lower + EDGE < gate.limit && gate.limit < upper - EDGE;
  // Between its ends a range can meet a limit that neither end meets.
  if (straddles || ends[0] !== ends[1]) return 'undecided';
  return ends[0] ? 'pass' : 'fail';
}

function describe(
  { of, metric, limit }: Gate,
  { value, interval, nSuccesses, nEvaluated }: MetricScore,
  found: number,
): string {
  const n = nSuccesses == null ? `n ${nEvaluated}` : `${nSuccesses}/${nEvaluated}`;
  if (of === 'value') return `${metric} is ${number(found, limit)} (${n})`;
  return `${of}(${metric}) is ${number(found, limit)} (${number(value!)}, ${number(interval!.lower)} to ${number(interval!.upper)}, ${n})`;
}

/** Three decimals, or as many as it takes not to look like the limit. */
function number(value: number, limit?: number): string {
  let digits = 3;
  while (
    limit !== undefined &&
    digits < 9 &&
    Math.abs(value - limit) > EDGE &&
    value.toFixed(digits) === limit.toFixed(digits)
  )
    digits += 1;
  return value.toFixed(digits);
}

function words(reason: string | null): string {
  return (reason ?? 'undefined').replaceAll('_', ' ');
}

/**
 * The range a score could have had, had the rows that failed on us been answered: its bounds where it has them, a range by arithmetic for a
 * few scores on confidences, null for the rest. Without failed rows it is the value itself.
 */
export function possibleValues(score: MetricScore, nFailed: number): Bounds | null {
  if (score.value === null) return null;
  if (nFailed === 0) return { lower: score.value, upper: score.value };
  if (score.bounds !== null) return score.bounds;
  const metric = builtInMetric(score.name);
  // A score with bounds has none only where no failed row is of its kind.
  if (metric?.bounded) return { lower: score.value, upper: score.value };
  if (score.name === 'confidence_inverted') return possibleInversion(score, nFailed);
  const move = metric?.movedBy;
  if (move === undefined) return null;
  let { lower, upper } = { lower: score.value, upper: score.value };
  // Rows that would have abstained only bring n back, so every smaller number of rows is tried as well.
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
    const drawn = wilsonWithZ(clipShare(moved), 1, Math.sqrt(squareOverN(value, interval)));
    return drawn![side === 'lower' ? 0 : 1];
  };
  return { lower: at(values.lower), upper: at(values.upper) };
}

/** z^2 / n of a Wilson interval of the share p, on which alone it depends: a limit x solves (x - p)^2 = z^2 / n x (1 - x). */
function squareOverN(p: number, { lower, upper }: Pick<Interval, 'lower' | 'upper'>): number {
  const x = p < 0.5 ? upper : lower;
  return (x - p) ** 2 / (x * (1 - x));
}
