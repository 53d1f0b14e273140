import { estimateOf, type Metric, Sample, whyEmpty } from '../../metrics/index.ts';
import {
  type FoundInterval,
  meanInterval,
  noInterval,
  type Replicates,
  resampledInterval,
} from './difference-interval.ts';
import { DEPEND_ON_RULE, ENDPOINTS, type Endpoint } from './endpoints.ts';
import type { Pairing } from './pair-records.ts';
import { pairedReplicates } from './paired-replicates.ts';
import { type PairedSample, pairedSample } from './paired-sample.ts';
import { nAnsweredDifferently, type RecordScores, recordScores } from './record-scores.ts';
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
  const scores = endpoints.map((endpoint) => recordScores(endpoint, pairing));
  const resampled = compareResampled(
    pairing,
    options,
    endpoints.flatMap(({ metric }, e) => (scores[e] === null ? [metric] : [])),
  );
  const [ours, theirs] = [pairing.baseline.columns, pairing.model.columns];
  const rulesDiffer = ours.emergencyRule !== theirs.emergencyRule;
  return endpoints.map((endpoint, e) => {
    const { metric } = endpoint;
    const own = scores[e]!;
    const isNeutral = metric.ignoresDeferral && ours.hasDeferralLabels;
    const about = {
      metric: metric.name,
      label: metric.label ?? metric.name,
      trait: null,
      better: isNeutral ? null : (metric.better ?? null),
    };
    if (rulesDiffer && DEPEND_ON_RULE.includes(metric.name))
      return {
        ...about,
        kind: 'per_record',
        isShare: true,
        ...undefinedTests('emergency_rules_differ'),
        ...noInterval('value_undefined'),
      };
    return {
      ...about,
      kind: own === null ? 'resampled' : 'per_record',
      isShare: metric.proportion !== undefined || metric.name === 'balanced_accuracy',
      ...(own === null ? resampled.get(metric)! : compareMeans(endpoint, own, pairing, options)),
    };
  });
}

type Compared = Tests & FoundInterval;

/** A mean over records: tested record by record, or cluster by cluster. */
function compareMeans(
  { metric, binary }: Endpoint,
  { baseline, model }: RecordScores,
  pairing: Pairing,
  options: PairOptions,
): Compared {
  const { n, clusters, hasRepeats } = pairing;
  const inBoth = (_: number, r: number) => !Number.isNaN(model[r]! - baseline[r]!);
  const [ours, theirs] = [baseline.filter(inBoth), model.filter(inBoth)];
  const differences = theirs.map((score, r) => score - ours[r]!);
  const how = { ...options, binary, hasRepeats, clusterOf: clusters?.of.filter(inBoth) };
  return {
    ...testPairs(ours, theirs, {
      ...how,
      emptyReason: n === 0 ? 'no_paired_records' : emptyReason(metric, pairing),
    }),
    ...meanInterval(differences, how),
  };
}

/** Metrics that are not means over records: computed on every resample, with an interval and no test. */
function compareResampled(
  pairing: Pairing,
  options: PairOptions,
  metrics: readonly Metric[],
): ReadonlyMap<Metric, Compared> {
  if (metrics.length === 0) return new Map();
  const alike = metrics.every(({ restsOn }) => restsOn === 'counts' || restsOn === 'confidence');
  const paired = pairedSample(pairing, alike);
  const { baseline, model } = wholeSample(paired);
  const { clusters } = pairing;
  const tooFew = (clusters?.n ?? pairing.n) < 2;
  const whyNot = tooFew ? (clusters ? 'too_few_clusters' : 'too_few_records') : 'resampling_off';
  const drawn: readonly Replicates[] =
    tooFew || options.resamples === 0 ? [] : pairedReplicates(paired, clusters, metrics, options);
  const compared = metrics.map((metric, m): [Metric, Compared] => {
    const [ours, theirs] = [estimateOf(metric, baseline), estimateOf(metric, model)];
    const reason = typeof ours === 'string' ? ours : typeof theirs === 'string' ? theirs : null;
    const difference = typeof ours === 'number' && typeof theirs === 'number' ? theirs - ours : null;
    const interval =
      difference === null
        ? noInterval('value_undefined')
        : drawn[m] === undefined
          ? noInterval(whyNot)
          : resampledInterval(difference, drawn[m], options.level);
    const tests = {
      ...undefinedTests(reason),
      n: pairing.n,
      nDiffering: nAnsweredDifferently(pairing, metric),
      baselineValue: typeof ours === 'number' ? ours : null,
      modelValue: typeof theirs === 'number' ? theirs : null,
      difference,
      mcnemarReason: 'not_a_mean_over_records',
      signFlipReason: 'not_a_mean_over_records',
      minimumDetectableReason: 'not_a_mean_over_records',
    };
    return [metric, { ...tests, ...interval }];
  });
  return new Map(compared);
}

/** Why an endpoint has no paired record, in the words of its metric. */
function emptyReason(metric: Metric, { model }: Pairing): string {
  if (metric.emptyReason === undefined && metric.restsOn === 'confidence') return 'no_usable_confidence';
  return whyEmpty(metric, Sample.from(model.columns));
}

/** Every record once. */
function wholeSample({ unitOf, nUnits, weighted }: PairedSample) {
  const counts = new Uint32Array(nUnits);
  for (const unit of unitOf) counts[unit]! += 1;
  return weighted(counts);
}
