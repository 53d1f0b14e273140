import { builtInMetric } from '../../metrics/registry.ts';
import { EDGE, type Gate } from './expression.ts';

/** The score of a model against a panel. */
export const PANEL_AGREEMENT = 'panel_agreement';

/** Built-in metrics whose values are not confined, or are no single number. */
const OPEN =
  /^(deferral_cost|log_loss|effective_reliability|likelihood_ratio|mae_stages|net_benefit|brier_(score|decomposition)|risk_coverage)/;
/** Those that may be below zero. */
const SIGNED = /mcc|qwk|somers_d|overconfidence|^e_au|debiased/;

/** Between which numbers a metric's values lie; null where that is not known. */
export function metricRange(name: string): readonly [number, number] | null {
  if (name === PANEL_AGREEMENT || name.startsWith('corrected(')) return [0, 1];
  if (builtInMetric(name) === undefined || OPEN.test(name)) return null;
  return [SIGNED.test(name) ? -1 : 0, 1];
}

/**
 * Why a condition says nothing: its limit lies outside the range of the metric, or every value of the range meets it, or none does. Null where it can pass and fail. A number up to 100 may
 * be meant as a percentage.
 *
 * @example
 * ```ts
 * limitProblem({ of: 'value', metric: 'accuracy', operator: '>=', limit: 0 }) // => 'it cannot fail: accuracy is never below 0'
 * limitProblem({ of: 'value', metric: 'accuracy', operator: '>=', limit: 90 }) // => 'accuracy lies between 0 and 1; did you mean 0.9?'
 * limitProblem({ of: 'value', metric: 'missed_emergency_rate', operator: '<=', limit: 0 }) // => null
 * ```
 */
export function limitProblem({
  of,
  metric,
  operator,
  limit,
  numbers,
}: Pick<Gate, 'of' | 'metric' | 'operator' | 'limit' | 'numbers'>): string | null {
  if (!Number.isFinite(limit)) return 'the limit is too large a number';
  const range = numbers === undefined ? metricRange(metric) : ([0, 1] as const);
  if (range === null) return null;
  const [least, most] = range;
  const meant = limit > 1 && limit <= 100 ? `; did you mean ${Number((limit / 100).toPrecision(12))}?` : '';
  if (limit < least || limit > most) return `${metric} lies between ${least} and ${most}${meant}`;
  const isLeast = limit <= least + EDGE;
  const isMost = limit >= most - EDGE;
  const below = `${metric} is never below ${least}`;
  const above = `${metric} is never above ${most}`;
  if (operator === '>=' && isLeast) return `it cannot fail: ${below}`;
  if (operator === '<=' && isMost) return `it cannot fail: ${above}`;
  if (operator === '<' && isLeast) return `it cannot be met: ${below}`;
  if (operator === '>' && isMost) return `it cannot be met: ${above}`;
  // The interval of a share has a width, so no upper bound is 0 and no lower bound is 1.
  if (builtInMetric(metric)?.proportion === undefined) return null;
  if (of === 'upper' && operator === '>' && isLeast) return `it cannot fail: no upper bound of a share is 0`;
  if (of === 'lower' && operator === '<' && isMost) return `it cannot fail: no lower bound of a share is 1`;
  return null;
}

/** What is wrong with a margin that no two values of a metric can differ by, so that every run would pass; null where nothing is. */
export function marginProblem(metric: string, margin: number): string | null {
  const range = metricRange(metric);
  if (range === null || margin < range[1] - range[0]) return null;
  const meant =
    margin > 1 && margin <= 100 ? `; did you mean ${Number((margin / 100).toPrecision(12))}?` : '';
  return `a margin of ${margin} tolerates any loss: ${metric} lies between ${range[0]} and ${range[1]}${meant}`;
}
