import { estimateOf, type Metric } from '../../metrics/index.ts';
import { percentileInterval } from '../../statistics/index.ts';
import { ENDPOINTS, type Endpoint } from './endpoints.ts';
import type { Pairing, RecordRows } from './pair-records.ts';
import { type EndpointDifferences, pairedReplicates } from './paired-replicates.ts';
import { type PairedSample, pairedSample } from './paired-sample.ts';
import {
  type EndpointFinding,
  type PairOptions,
  type Tests,
  testPairs,
  undefinedTests,
} from './test-pairs.ts';

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
      trait: null,
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

/** The score of every paired record: the mean over its rows, so that a record asked three times counts once. NaN where no row has a score. */
function recordScores(
  { columns, start, rows }: RecordRows,
  rowScore: NonNullable<Endpoint['rowScore']>,
): Float64Array {
  const scores = new Float64Array(start.length - 1);
  for (let r = 0; r < scores.length; r++) {
    let sum = 0;
    let n = 0;
    for (let k = start[r]!; k < start[r + 1]!; k++) {
      const score = rowScore(columns, rows[k]!);
      if (Number.isNaN(score)) continue;
      sum += score;
      n += 1;
    }
    scores[r] = n === 0 ? Number.NaN : sum / n;
  }
  return scores;
}

/** Tests of a mean over records. */
function testRecords(
  { endpoint, scores }: Prepared,
  { hasRepeats, n }: Pairing,
  options: PairOptions,
): Tests {
  return testPairs(scores!.baseline, scores!.model, {
    ...options,
    binary: endpoint.binary,
    hasRepeats,
    emptyReason: n === 0 ? 'no_paired_records' : emptyReason(endpoint.metric),
  });
}

/** A metric that is not a mean over records: its two values, and no test. */
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
