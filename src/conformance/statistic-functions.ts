import { camelKeys, snakeKeys } from '../core/codec.ts';
import { numberOrNull } from '../metrics/metric.ts';
import { matthews } from '../metrics/tables.ts';
import {
  bcaInterval,
  bootstrapReplicates,
  clusterReplicates,
  pairedDifferenceReplicates,
  percentileInterval,
} from '../statistics/bootstrap.ts';
import { clusterNonInferiority } from '../statistics/cluster-non-inferiority.ts';
import { clusteredShare, clusteredStandardError } from '../statistics/clustered-share.ts';
import { type GroupedTests, holmAdjust, holmGroups } from '../statistics/holm.ts';
import { runConsistency } from '../statistics/kappa.ts';
import { discordantPairs, mcnemarExact } from '../statistics/mcnemar.ts';
import { nonInferiority, pairedScoreInterval } from '../statistics/paired-score-interval.ts';
import { minimumDetectableDifference, requiredPairs } from '../statistics/power.ts';
import { exactUpperBound, newcombeDifference, wilsonInterval } from '../statistics/proportions.ts';
import { mean } from '../statistics/samples.ts';
import { monteCarloPValue, signFlipExact } from '../statistics/sign-flip.ts';
import type { CaseFunction } from './case-function.ts';

type TwoProportions = Parameters<typeof newcombeDifference>[0];

/** Every reference function that takes named inputs, by its name in the file. */
export const statisticFunctions: Record<string, CaseFunction> = {
  mcc_from_confusion: ({ tp, fp, fn, tn }) => numberOrNull(matthews({ tp, fp, fn, tn })),
  wilson_interval: ({ successes, n }, { level }) => wilsonInterval(successes, n, level),
  newcombe_difference: (inputs, { level }) => newcombeDifference(camelKeys(inputs) as TwoProportions, level),
  percentile_interval: ({ replicates }, { level }) => percentileInterval(replicates, level),
  bca_interval: ({ theta_hat: estimate, replicates, jackknife }, { level }) => {
    const found = bcaInterval({ estimate, replicates, jackknife }, level);
    return found && { interval: found.interval, z0: found.z0, a: found.acceleration };
  },
  bootstrap_percentile: ({ values, resample_indices: indices, statistic }, { level }) => {
    const replicates = bootstrapReplicates(values, indices, statistic);
    return { replicates, interval: percentileInterval(replicates, level) };
  },
  paired_bootstrap_difference: ({ scores_a: a, scores_b: b, resample_indices: indices }, { level }) => ({
    difference: a.length === 0 ? null : mean(a)! - mean(b)!,
    interval: percentileInterval(pairedDifferenceReplicates(a, b, indices), level),
  }),
  paired_score_interval: ({ b, c, n }, { level }) => pairedScoreInterval({ b, c, n }, level),
  non_inferiority: ({ b, c, n }, { level, margin }) => {
    const interval = pairedScoreInterval({ b, c, n }, level);
    return interval && nonInferiority(interval, margin);
  },
  exact_upper_bound: ({ errors, n }, { alpha = 0.05 }) => exactUpperBound(errors, n, 1 - alpha),
  cluster_bootstrap_replicates: ({ values, clusters, resampled_clusters: drawn, statistic }) =>
    clusterReplicates(values, clusters, drawn, statistic),
  cluster_non_inferiority: ({ differences, clusters }, { margin, level }) =>
    snakeKeys(clusterNonInferiority(differences, clusters, { margin, level })),
  clustered_share: ({ values, clusters }, { level }) => {
    const share = clusteredShare(values, clusters, level);
    // Intervals call a bootstrap by the name of its interval alone.
    return snakeKeys({ ...share, method: share.method === 'bca' ? 'bootstrap_bca' : share.method });
  },
  clustered_standard_error: ({ values, clusters }) => clusteredStandardError(values, clusters),
  mcnemar_exact: (inputs) => {
    const pairs = inputs.correct_a ? discordantPairs(inputs.correct_a, inputs.correct_b) : inputs;
    return snakeKeys(mcnemarExact(pairs.b, pairs.c));
  },
  paired_permutation_exact: ({ scores_a: a, scores_b: b }) =>
    signFlipExact(a.map((score: number, i: number) => score - b[i])),
  monte_carlo_p_value: ({ n_as_extreme: extreme, n_resamples: resamples }) =>
    monteCarloPValue(extreme, resamples),
  holm_adjust: ({ p_values: pValues }) => holmAdjust(pValues),
  holm_groups: ({ variables }) => {
    const { nTests, adjusted } = holmGroups(variables);
    const byGroup = ({ groups }: GroupedTests) =>
      Object.fromEntries(groups.map(({ group, p }) => [group, p]));
    return {
      n_tests: nTests,
      adjusted: Object.fromEntries(adjusted.map((variable) => [variable.name, byGroup(variable)])),
    };
  },
  minimum_detectable_difference_paired: ({ n, discordant_proportion: discordantProportion }, params) =>
    minimumDetectableDifference({ n, discordantProportion, ...params }),
  required_n_paired: ({ difference, discordant_proportion: discordantProportion }, params) =>
    requiredPairs({ difference, discordantProportion, ...params }),
  run_consistency: ({ decisions_by_record: decisions }) => runConsistency(decisions),
};
