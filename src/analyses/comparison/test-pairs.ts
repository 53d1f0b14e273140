import { sumByCluster } from '../../statistics/clustered-share.ts';
import { mcnemarExact } from '../../statistics/mcnemar.ts';
import { minimumDetectableDifference } from '../../statistics/power.ts';
import { mean } from '../../statistics/samples.ts';
import { signFlipTest } from '../../statistics/sign-flip.ts';
import { normalQuantile } from '../../statistics/special-functions.ts';
import type { DrawOptions } from '../analysis.ts';
import type { EndpointComparison } from './comparison.ts';
import { discordance } from './difference-interval.ts';

/** What is known of one endpoint before several models are looked at together. */
export type EndpointFinding = Omit<EndpointComparison, 'pHolm' | 'verdict' | 'inWords'>;

/** The part of a finding that comes from testing the paired scores. */
export type Tests = Omit<
  EndpointFinding,
  'metric' | 'label' | 'trait' | 'better' | 'kind' | 'isShare' | 'interval' | 'intervalReason'
>;

/** The power that the minimum detectable difference is stated for. */
export const POWER = 0.8;

/** Tests paired scores, one of each run for each record or question. */
export function testPairs(
  baseline: Float64Array,
  model: Float64Array,
  options: Pick<DrawOptions, 'seed' | 'level'> & {
    /** Whether scores are 0 or 1, or means of such over repeats. */
    readonly binary: boolean;
    /** Why there is nothing to test where there are no pairs. */
    readonly emptyReason: string;
    /** The cluster of each pair: signs are flipped for whole clusters. Default: each pair is alone. */
    readonly clusterOf?: Int32Array | undefined;
  },
): Tests {
  const n = baseline.length;
  if (n === 0) return undefinedTests(options.emptyReason);
  const differences = model.map((score, r) => score - baseline[r]!);
  const units = Float64Array.from(sumByCluster(differences, options.clusterOf), ({ sum }) => sum);
  // McNemar's test counts whole, independent pairs.
  const whyNot = !options.binary
    ? 'not_a_score_of_0_or_1'
    : [baseline, model].some((scores) => scores.some((score) => !Number.isInteger(score)))
      ? 'repeats_differ'
      : options.clusterOf !== undefined
        ? 'records_are_clustered'
        : null;
  const { b, c } = discordance(differences);
  const pairs = whyNot === null ? { b: c, c: b } : null;
  const mcnemar = pairs && mcnemarExact(pairs.b, pairs.c);
  // Flipping the signs of differences of -1 and 1 is McNemar's test: nothing has to be drawn.
  const signFlip = mcnemar
    ? { p: mcnemar.pExact, method: 'exact' as const, resamples: null }
    : signFlipTest(units, { seed: options.seed, resamples: signPatterns(units.length) })!;
  const discordant = pairs === null ? null : (pairs.b + pairs.c) / n;
  return {
    n,
    nClusters: options.clusterOf === undefined ? null : units.length,
    nDiffering: differences.reduce((sum, difference) => sum + Number(difference !== 0), 0),
    baselineValue: mean(baseline),
    modelValue: mean(model),
    difference: mean(differences),
    reason: null,
    mcnemar,
    mcnemarReason: whyNot,
    signFlip,
    signFlipReason: null,
    p: mcnemar?.pExact ?? signFlip.p,
    ...detectable(units, n, discordant, 1 - options.level),
  };
}

export function undefinedTests(reason: string | null): Tests {
  return {
    n: 0,
    nClusters: null,
    nDiffering: 0,
    baselineValue: null,
    modelValue: null,
    difference: null,
    reason,
    mcnemar: null,
    mcnemarReason: reason,
    signFlip: null,
    signFlipReason: reason,
    p: null,
    minimumDetectableDifference: null,
    minimumDetectableReason: reason,
  };
}

/** 10,000 up to as many records, and fewer above, so that the test costs the same. */
function signPatterns(n: number): number {
  return Math.max(1000, Math.min(10_000, Math.round(1e8 / n)));
}

/** Connor's formula where records score 0 or 1, the normal approximation on the spread of differences, or of their sums over clusters, elsewhere. */
function detectable(units: Float64Array, n: number, discordantProportion: number | null, alpha: number) {
  if (units.every((difference) => difference === 0))
    return { minimumDetectableDifference: null, minimumDetectableReason: 'no_discordant_records' };
  const value =
    discordantProportion !== null
      ? minimumDetectableDifference({ n, discordantProportion, alpha, power: POWER })
      : units.length < 2
        ? null
        : ((normalQuantile(1 - alpha / 2) + normalQuantile(POWER)) *
            spread(units) *
            Math.sqrt(units.length)) /
          n;
  return {
    minimumDetectableDifference: value,
    minimumDetectableReason: value === null ? 'too_few_records' : null,
  };
}

function spread(values: Float64Array): number {
  const centre = mean(values)!;
  let sum = 0;
  for (const value of values) sum += (value - centre) ** 2;
  return Math.sqrt(sum / (values.length - 1));
}
