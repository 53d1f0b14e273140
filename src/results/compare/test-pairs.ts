import {
  discordantPairs,
  mcnemarExact,
  mean,
  minimumDetectableDifference,
  normalQuantile,
  type ScoreOptions,
  signFlipTest,
} from '../../statistics/index.ts';
import type { EndpointComparison } from './comparison.ts';

/** How differences are resampled. */
export type PairOptions = Required<Pick<ScoreOptions, 'resamples' | 'seed' | 'level'>>;

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
  options: Pick<PairOptions, 'seed' | 'level'> & {
    /** Whether a single row scores 0 or 1. */
    readonly binary: boolean;
    /** Whether scores are means over repeats. */
    readonly hasRepeats: boolean;
    /** Why there is nothing to test where there are no pairs. */
    readonly emptyReason: string;
  },
): Tests {
  const n = baseline.length;
  if (n === 0) return undefinedTests(options.emptyReason);
  const differences = model.map((score, r) => score - baseline[r]!);
  const pairs = options.binary && !options.hasRepeats ? discordantPairs(baseline, model) : null;
  const mcnemar = pairs && mcnemarExact(pairs.b, pairs.c);
  // Flipping the signs of differences of -1 and 1 is McNemar's test: nothing has to be drawn.
  const signFlip = mcnemar
    ? { p: mcnemar.pExact, method: 'exact' as const, resamples: null }
    : signFlipTest(differences, { seed: options.seed, resamples: signPatterns(n) })!;
  const discordant = pairs === null ? null : (pairs.b + pairs.c) / n;
  return {
    n,
    baselineValue: mean(baseline),
    modelValue: mean(model),
    difference: mean(differences),
    reason: null,
    mcnemar,
    mcnemarReason: mcnemar ? null : options.binary ? 'repeats_are_averaged' : 'not_a_score_of_0_or_1',
    signFlip,
    signFlipReason: null,
    p: mcnemar?.pExact ?? signFlip.p,
    ...detectable(differences, discordant, 1 - options.level),
  };
}

export function undefinedTests(reason: string | null): Tests {
  return {
    n: 0,
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

/** Connor's formula where records score 0 or 1, the normal approximation on the spread of differences elsewhere. */
function detectable(differences: Float64Array, discordantProportion: number | null, alpha: number) {
  const n = differences.length;
  if (differences.every((difference) => difference === 0))
    return { minimumDetectableDifference: null, minimumDetectableReason: 'no_discordant_records' };
  const value =
    discordantProportion !== null
      ? minimumDetectableDifference({ n, discordantProportion, alpha, power: POWER })
      : n < 2
        ? null
        : ((normalQuantile(1 - alpha / 2) + normalQuantile(POWER)) * spread(differences)) / Math.sqrt(n);
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
