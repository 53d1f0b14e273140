import { estimateOf, type Metric } from '../../metrics/index.ts';
import { BCA_MAX_ROWS, createRandom, RANDOM_STREAMS } from '../../statistics/index.ts';
import type { DrawOptions, Replicates } from './difference-interval.ts';
import type { PairClusters } from './pair-clusters.ts';
import type { PairedSample } from './paired-sample.ts';

/** A jackknife of more units than this times the resamples is not worth its time. */
const JACKKNIFE_PER_RESAMPLE = 5;

/**
 * The difference (model minus baseline) of metrics on each resample of records, or of clusters of them; a drawn record brings its rows of both runs. One set of
 * draws serves all metrics.
 */
export function pairedReplicates(
  paired: PairedSample,
  clusters: PairClusters | null,
  metrics: readonly Metric[],
  { resamples, seed }: DrawOptions,
): Replicates[] {
  const { nUnits, unitOf, representative } = paired;
  const n = unitOf.length;
  const members = clusters && recordsOf(clusters);
  const counts = new Uint32Array(nUnits);
  const { baseline, model, refresh } = paired.weighted(counts);
  const differences = () => {
    refresh();
    return metrics.map((metric) => {
      const [theirs, ours] = [estimateOf(metric, model), estimateOf(metric, baseline)];
      return typeof theirs === 'number' && typeof ours === 'number' ? theirs - ours : Number.NaN;
    });
  };
  const random = createRandom(seed, RANDOM_STREAMS.pairedBootstrap);
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

function recordsOf({ of, n }: PairClusters): readonly (readonly number[])[] {
  const members: number[][] = Array.from({ length: n }, () => []);
  for (const [record, cluster] of of.entries()) members[cluster]!.push(record);
  return members;
}
