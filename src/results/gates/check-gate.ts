import type { MetricScore, Scorecard } from '../../metrics/index.ts';
import { isCorrected } from '../review/corrected-score.ts';
import { PANEL_AGREEMENT } from '../review/panel.ts';
import type { Gate, Operator } from './expression.ts';
import { EDGE } from './metric-range.ts';
import { possibleBounds, possibleValues } from './possible-range.ts';
import type { GateVerdict } from './verdict.ts';

/**
 * Whether a scorecard meets a condition. Three answers: a value that is not there cannot be judged, and neither can one that the failed rows
 * could have put on the other side of the limit; both are `undecided`.
 *
 * @example
 * ```ts
 * const rows = [evaluationResult({ prediction: 1, groundTruth: 1 }), evaluationResult({ prediction: 0, groundTruth: 1 })];
 * checkGate(parseGate('accuracy >= 0.9'), scoreTable(tableOf(rows)))
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
  const { n, nScored, unscored } = score.scoredOf ?? { ...card, unscored: 'rows failed or never ran' };
  const nFailed = n - nScored;
  if (nFailed === 0) {
    if (holds(found, gate)) return verdict('pass', shown);
    if (gate.of === 'value' || !holds(score.value, gate)) return verdict('fail', shown);
    return {
      ...verdict('fail', `${shown}: the value meets it, but that is not shown`),
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
  if (metric === PANEL_AGREEMENT) return 'needs decisions of people on records of the run';
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

const COMPARE: Readonly<Record<Operator, (value: number, limit: number) => boolean>> = {
  '>=': (value, limit) => value >= limit - EDGE,
  '>': (value, limit) => value > limit + EDGE,
  '<=': (value, limit) => value <= limit + EDGE,
  '<': (value, limit) => value < limit - EDGE,
  '==': (value, limit) => Math.abs(value - limit) <= EDGE,
  '!=': (value, limit) => Math.abs(value - limit) > EDGE,
};

/** Whether a value meets the comparison of a condition. */
export function holds(value: number, { operator, limit }: Gate): boolean {
  return COMPARE[operator](value, limit);
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
