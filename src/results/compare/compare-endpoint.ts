import { estimateOf, type Metric } from '../../metrics/index.ts';
import {
  discordantPairs,
  mcnemarExact,
  mean,
  minimumDetectableDifference,
  normalQuantile,
  percentileInterval,
  signFlipTest,
} from '../../statistics/index.ts';
import type { EndpointComparison } from './comparison.ts';
import { ENDPOINTS, type Endpoint } from './endpoints.ts';
import type { Pairing } from './pair-records.ts';
import { type EndpointDifferences, pairedReplicates } from './paired-replicates.ts';
import { type PairedSample, pairedSample } from './paired-sample.ts';
import { recordScores } from './record-scores.ts';

export interface PairOptions {
  readonly resamples: number;
  readonly seed: number;
  readonly level: number;
}

/** What is known of one endpoint before several models are looked at together. */
export type EndpointFinding = Omit<EndpointComparison, 'pHolm' | 'verdict' | 'inWords'>;

export const POWER = 0.8;

/** Compares two paired runs by each endpoint. */
export function compareEndpoints(
  pairing: Pairing,
  options: PairOptions,
  endpoints: readonly Endpoint[] = ENDPOINTS,
): EndpointFinding[] {
  const alike = endpoints.every(
    ({ metric: { restsOn } }) => restsOn === 'counts' || restsOn === 'confidence',
  );
  const paired = pairedSample(pairing, alike);
  const prepared = endpoints.map((endpoint) => prepare(endpoint, pairing));
  const replicates =
    pairing.n < 2 || options.resamples === 0 ? null : pairedReplicates(paired, prepared, options);
  const whole = wholeSample(paired);
  return prepared.map((endpoint, e) => {
    const { metric } = endpoint.endpoint;
    const tests = endpoint.scores
      ? testRecords(endpoint, pairing, options)
      : resampledOnly(metric, whole, pairing.n);
    return {
      metric: metric.name,
      label: metric.label ?? metric.name,
      better: metric.better ?? null,
      kind: endpoint.scores ? 'per_record' : 'resampled',
      isShare: metric.proportion !== undefined || metric.name === 'balanced_accuracy',
      ...tests,
      ...intervalOf(tests.difference, replicates?.[e] ?? null, pairing.n, options),
    };
  });
}

interface Prepared extends EndpointDifferences {
  /** Of the records that have a score in both runs. */
  readonly scores: { readonly baseline: Float64Array; readonly model: Float64Array } | null;
}

function prepare(endpoint: Endpoint, pairing: Pairing): Prepared {
  if (endpoint.rowScore === null) return { endpoint, differences: null, scores: null };
  const baseline = recordScores(pairing.baseline, endpoint.rowScore);
  const model = recordScores(pairing.model, endpoint.rowScore);
  const differences = model.map((score, r) => score - baseline[r]!);
  const inBoth = (_: number, r: number) => !Number.isNaN(differences[r]!);
  return {
    endpoint,
    differences,
    scores: { baseline: baseline.filter(inBoth), model: model.filter(inBoth) },
  };
}

type Tests = Omit<
  EndpointFinding,
  'metric' | 'label' | 'better' | 'kind' | 'isShare' | 'interval' | 'intervalReason'
>;

/** Tests of a mean over records. */
function testRecords(
  { endpoint, scores }: Prepared,
  { hasRepeats, n: nPaired }: Pairing,
  options: PairOptions,
): Tests {
  const { baseline, model } = scores!;
  const n = baseline.length;
  if (n === 0) return undefinedTests(nPaired === 0 ? 'no_paired_records' : emptyReason(endpoint.metric));
  const differences = model.map((score, r) => score - baseline[r]!);
  const pairs = endpoint.binary && !hasRepeats ? discordantPairs(baseline, model) : null;
  const mcnemar = pairs && mcnemarExact(pairs.b, pairs.c);
  // Turning the signs of differences of -1 and 1 is McNemar's test: there is nothing left to draw.
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
    mcnemarReason: mcnemar ? null : endpoint.binary ? 'repeats_are_averaged' : 'not_a_score_of_0_or_1',
    signFlip,
    signFlipReason: null,
    p: mcnemar?.pExact ?? signFlip.p,
    ...detectable(differences, discordant, 1 - options.level),
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

/** A metric that is no mean over records: its two values, and no test. */
function resampledOnly(
  metric: Metric,
  { baseline, model }: ReturnType<typeof wholeSample>,
  n: number,
): Tests {
  const [ours, theirs] = [estimateOf(metric, baseline), estimateOf(metric, model)];
  return {
    ...undefinedTests(typeof ours === 'string' ? ours : typeof theirs === 'string' ? theirs : null),
    n,
    baselineValue: typeof ours === 'number' ? ours : null,
    modelValue: typeof theirs === 'number' ? theirs : null,
    difference: typeof ours === 'number' && typeof theirs === 'number' ? theirs - ours : null,
    mcnemarReason: 'not_a_mean_over_records',
    signFlipReason: 'not_a_mean_over_records',
    minimumDetectableReason: 'not_a_mean_over_records',
  };
}

function undefinedTests(reason: string | null): Tests {
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

/** Why an endpoint has no paired record, in the words of its metric. */
function emptyReason(metric: Metric): string {
  return metric.emptyReason ?? (metric.restsOn === 'confidence' ? 'no_usable_confidence' : 'no_rows');
}

function intervalOf(
  difference: number | null,
  replicates: Float64Array | null,
  n: number,
  { level }: PairOptions,
): Pick<EndpointFinding, 'interval' | 'intervalReason'> {
  const none = (intervalReason: string) => ({ interval: null, intervalReason });
  if (difference === null) return none('value_undefined');
  if (replicates === null) return none(n < 2 ? 'too_few_records' : 'resampling_off');
  const bounds = percentileInterval(replicates, level);
  if (bounds === null) return none('undefined_in_resamples');
  return { interval: { lower: bounds[0], upper: bounds[1], level }, intervalReason: null };
}

/** Every record once. */
function wholeSample({ unitOf, nUnits, weighted }: PairedSample) {
  const counts = new Uint32Array(nUnits);
  for (const unit of unitOf) counts[unit]! += 1;
  return weighted(counts);
}
