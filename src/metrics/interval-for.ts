import type { Interval } from '../core/index.ts';
import {
  bcaInterval,
  DEFAULT_LEVEL,
  percentileInterval,
  type ShareOfClusters,
  wilsonInterval,
} from '../statistics/index.ts';
import type { Replicates } from './bootstrap.ts';
import type { Estimate, Metric } from './metric.ts';

/** Above this share of undefined resamples, an interval would describe only the defined ones. */
const MAX_UNDEFINED = 0.05;

/** The interval of one score, or the reason why there is none. `share` is null for everything but a share whose rows or clusters are independent draws. */
export function intervalFor(
  metric: Metric,
  estimate: Estimate,
  share: ShareOfClusters | null,
  replicates: Replicates | undefined,
  nUnits: number,
  level = DEFAULT_LEVEL,
): Interval | string {
  if (typeof estimate === 'string') return 'value_undefined';
  if (metric.resampling === 'none') return 'no_interval_for_this_metric';
  if (metric.resampling === 'not_valid') return 'no_valid_interval';
  const range = ([lower, upper]: readonly [number, number]) => ({ lower, upper, level });
  if (share !== null && share.reason !== null) return share.reason;
  if (share !== null && share.interval !== null && share.method !== null) {
    const unit = share.method === 'wilson' ? 'row' : 'cluster';
    return { ...range(share.interval), method: share.method, resamples: null, unit };
  }
  if (replicates === undefined) return nUnits < 2 ? 'too_few_rows' : 'resampling_off';
  const { values, nUndefined, jackknife, resamples, unit } = replicates;
  if (nUndefined > MAX_UNDEFINED * resamples) return 'undefined_in_resamples';
  if (values.every((value) => value === values[0])) {
    // Without variation resampling gives no interval; a share of 0 or 1 still has a formula.
    if (metric.proportion === undefined || (estimate !== 0 && estimate !== 1))
      return 'no_variation_in_resamples';
    const ofClusters = range(wilsonInterval(estimate * nUnits, nUnits, level)!);
    return { ...ofClusters, method: 'wilson_clusters', resamples: null, unit };
  }
  const corrected =
    jackknife &&
    bcaInterval(
      { estimate, replicates: values, jackknife: jackknife.values, jackknifeWeights: jackknife.weights },
      level,
    );
  if (corrected && corrected.z0 !== null)
    return { ...range(corrected.interval), method: 'bca', resamples, unit };
  return { ...range(percentileInterval(values, level)!), method: 'percentile', resamples, unit };
}
