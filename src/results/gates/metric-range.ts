import { builtInMetric } from '../../metrics/index.ts';
import { PANEL_AGREEMENT } from '../review/panel.ts';

/** Built-in metrics whose values are not confined, or are no single number. */
const OPEN =
  /^(deferral_cost|log_loss|effective_reliability|likelihood_ratio|mae_stages|net_benefit|brier_(score|decomposition)|risk_coverage)/;
/** Those that may be below zero. */
const SIGNED = /mcc|qwk|somers_d|overconfidence|^e_au|debiased/;

/** Between which numbers a metric's values lie; null where that is not known. */
export function metricRange(name: string): readonly [number, number] | null {
  if (name === PANEL_AGREEMENT || name === 'threshold_coverage' || name.startsWith('corrected('))
    return [0, 1];
  if (builtInMetric(name) === undefined || OPEN.test(name)) return null;
  return [SIGNED.test(name) ? -1 : 0, 1];
}

/** What is wrong with comparing a metric with a number that it can never reach; null where nothing is. A number up to 100 may be meant as a percentage. */
export function limitProblem(metric: string, limit: number): string | null {
  const range = metricRange(metric);
  if (range === null || (limit >= range[0] && limit <= range[1])) return null;
  const meant = limit > 1 && limit <= 100 ? `; did you mean ${Number((limit / 100).toPrecision(12))}?` : '';
  return `${metric} lies between ${range[0]} and ${range[1]}${meant}`;
}

/** What is wrong with a margin that no two values of a metric can differ by, so that every run would pass; null where nothing is. */
export function marginProblem(metric: string, margin: number): string | null {
  const range = metricRange(metric);
  if (range === null || margin < range[1] - range[0]) return null;
  const meant =
    margin > 1 && margin <= 100 ? `; did you mean ${Number((margin / 100).toPrecision(12))}?` : '';
  return `a margin of ${margin} tolerates any loss: ${metric} lies between ${range[0]} and ${range[1]}${meant}`;
}
