import { pickRows } from '../../metrics/columns.ts';
import { estimateMetric, type Metric, whyEmpty } from '../../metrics/metric.ts';
import { Sample } from '../../metrics/sample.ts';
import { createRandom } from '../../statistics/random.ts';
import { BCA_MAX_ROWS } from '../../statistics/score-options.ts';
import type { DrawOptions } from '../analysis.ts';
import {
  type FoundInterval,
  meanInterval,
  noInterval,
  type Replicates,
  resampledInterval,
} from './difference-interval.ts';
import { ENDPOINTS, type Endpoint } from './endpoints.ts';
import type { PairClusters } from './pair-clusters.ts';
import type { Pairing } from './pair-records.ts';
import type { RecordRows } from './record-rows.ts';
import { nAnsweredDifferently, type RecordScores, recordScores } from './record-scores.ts';
import { type EndpointFinding, type Tests, testPairs, undefinedTests } from './test-pairs.ts';

/** Compares two paired runs by each endpoint. */
export function compareEndpoints(
  pairing: Pairing,
  options: DrawOptions,
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
    if (rulesDiffer && metric.dependsOnEmergencyRule)
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
      isShare: metric.proportion !== undefined || metric.isShare === true,
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
  options: DrawOptions,
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
    // Scores that are right in part are means already, as those of a record that was asked several times.
    ...meanInterval(differences, {
      ...how,
      hasRepeats: hasRepeats || differences.some((difference) => !Number.isInteger(difference)),
    }),
  };
}

/** Metrics that are not means over records: computed on every resample, with an interval and no test. */
function compareResampled(
  pairing: Pairing,
  options: DrawOptions,
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
    const [ours, theirs] = [estimateMetric(metric, baseline), estimateMetric(metric, model)];
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

/** A jackknife of more units than this times the resamples is not worth its time. */
const JACKKNIFE_PER_RESAMPLE = 5;

/**
 * The difference (model minus baseline) of metrics on each resample of records, or of clusters of them; a drawn record brings its rows of both runs. One set of
 * draws serves all metrics.
 */
function pairedReplicates(
  paired: PairedSample,
  clusters: PairClusters | null,
  metrics: readonly Metric[],
  { resamples, seed }: DrawOptions,
): Replicates[] {
  const { nUnits, unitOf, representative } = paired;
  const n = unitOf.length;
  const members = clusters && listMembers(clusters);
  const counts = new Uint32Array(nUnits);
  const { baseline, model, refresh } = paired.weighted(counts);
  const differences = () => {
    refresh();
    return metrics.map((metric) => {
      const [theirs, ours] = [estimateMetric(metric, model), estimateMetric(metric, baseline)];
      return typeof theirs === 'number' && typeof ours === 'number' ? theirs - ours : Number.NaN;
    });
  };
  const random = createRandom(seed, 'pairedBootstrap');
  const values = metrics.map(() => new Float64Array(resamples));
  for (let b = 0; b < resamples; b++) {
    counts.fill(0);
    if (members === null) for (let i = 0; i < n; i++) counts[unitOf[random.integer(n)]!]! += 1;
    else
      for (let g = 0; g < members.length; g++)
        for (const record of members[random.integer(members.length)]!) counts[unitOf[record]!]! += 1;
    for (const [m, difference] of differences().entries()) values[m]![b] = difference;
  }
  // Records of one unit give the same value when one of them is left out.
  const leftOut = members ?? Array.from(representative, (record) => [record]);
  if (leftOut.length > Math.min(BCA_MAX_ROWS, JACKKNIFE_PER_RESAMPLE * resamples))
    return values.map((drawn) => ({ values: drawn, jackknife: null }));
  const whole = new Uint32Array(nUnits);
  for (const unit of unitOf) whole[unit]! += 1;
  const weights = members === null ? Float64Array.from(whole) : new Float64Array(leftOut.length).fill(1);
  const jackknives = metrics.map(() => new Float64Array(leftOut.length));
  for (const [u, records] of leftOut.entries()) {
    counts.set(whole);
    for (const record of records) counts[unitOf[record]!]! -= 1;
    for (const [m, difference] of differences().entries()) jackknives[m]![u] = difference;
  }
  return values.map((drawn, m) => ({ values: drawn, jackknife: { values: jackknives[m]!, weights } }));
}

function listMembers({ of, n }: PairClusters): readonly (readonly number[])[] {
  const members: number[][] = Array.from({ length: n }, () => []);
  for (const [record, cluster] of of.entries()) members[cluster]!.push(record);
  return members;
}

/**
 * Two runs made ready for resampling. Records that no built-in metric can tell apart, in either run, are one unit: a resample is then a
 * count per unit, and costs little more than the draws however many records there are.
 */
interface PairedSample {
  readonly nUnits: number;
  /** The unit of each record, and a record that represents each unit. */
  readonly unitOf: Int32Array;
  readonly representative: Int32Array;
  /** Both runs, with every row as often as its unit counts. */
  weighted(counts: Uint32Array): { readonly baseline: Sample; readonly model: Sample; refresh(): void };
}

/** `alike` false keeps every record apart: for metrics that may read anything of a row. */
function pairedSample(pairing: Pairing, alike: boolean): PairedSample {
  const mayJoin = alike && !pairing.hasRepeats;
  const { unitOf, representative } = mayJoin ? joined(pairing) : apart(pairing.n);
  const baseline = rowsOfUnits(pairing.baseline, representative);
  const model = rowsOfUnits(pairing.model, representative);
  return {
    nUnits: representative.length,
    unitOf,
    representative,
    weighted: (counts) => {
      const ours = weightedSide(baseline, counts);
      const theirs = weightedSide(model, counts);
      return {
        baseline: ours.sample,
        model: theirs.sample,
        refresh: () => {
          ours.refresh();
          theirs.refresh();
        },
      };
    },
  };
}

function apart(n: number) {
  const unitOf = Int32Array.from({ length: n }, (_, r) => r);
  return { unitOf, representative: unitOf };
}

function joined({ n, baseline, model }: Pairing) {
  const ours = Sample.from(baseline.columns).patterns;
  const theirs = Sample.from(model.columns).patterns;
  const width = theirs.reduce((most, pattern) => Math.max(most, pattern), 0) + 1;
  const units = new Map<number, number>();
  const representative: number[] = [];
  const unitOf = new Int32Array(n);
  for (let r = 0; r < n; r++) {
    const key = ours[baseline.rows[r]!]! * width + theirs[model.rows[r]!]!;
    let unit = units.get(key);
    if (unit === undefined) {
      unit = representative.length;
      units.set(key, unit);
      representative.push(r);
    }
    unitOf[r] = unit;
  }
  return { unitOf, representative: Int32Array.from(representative) };
}

function rowsOfUnits({ columns, start, rows }: RecordRows, representative: Int32Array) {
  const kept: number[] = [];
  const unitOfRow: number[] = [];
  representative.forEach((record, unit) => {
    for (let k = start[record]!; k < start[record + 1]!; k++) {
      kept.push(rows[k]!);
      unitOfRow.push(unit);
    }
  });
  return {
    plain: Sample.from(pickRows(columns, kept)),
    unitOfRow: Int32Array.from(unitOfRow),
  };
}

function weightedSide({ plain, unitOfRow }: ReturnType<typeof rowsOfUnits>, counts: Uint32Array) {
  const weights = new Uint32Array(unitOfRow.length);
  const sample = plain.weighted(weights);
  const refresh = () => {
    for (let j = 0; j < weights.length; j++) weights[j] = counts[unitOfRow[j]!]!;
    sample.refresh();
  };
  refresh();
  return { sample, refresh };
}
