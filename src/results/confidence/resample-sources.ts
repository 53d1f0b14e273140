import { evaluationResult } from '../../core/index.ts';
import { builtInMetric, estimateOf, Sample } from '../../metrics/index.ts';
import { createRandom, percentileInterval } from '../../statistics/index.ts';
import type { ConfidenceSource } from './source-rows.ts';
import { type Ends, RESAMPLE_SEED, RESAMPLES, type SourceUnit } from './source-unit.ts';

const STREAM = 23;
const MEASURES = { brier: 'brier_top_label', auroc: 'auroc_confidence', augrc: 'augrc' } as const;
type Measure = keyof typeof MEASURES;

/** The area under the generalised risk-coverage curve of one source. */
export function augrcOf(units: readonly SourceUnit[], source: ConfidenceSource): number {
  return estimated('augrc', sampleOf(units, source));
}

/** Percentile intervals of the differences a - b over resampled clusters; a drawn record brings both confidences. */
export function resampledDifferences(
  units: readonly SourceUnit[],
  a: ConfidenceSource,
  b: ConfidenceSource,
): Record<Measure, Ends> {
  const clusters = [...Map.groupBy(units.keys(), (i) => units[i]!.cluster).values()];
  const weights = new Uint32Array(units.length);
  const [ours, theirs] = [sampleOf(units, a).weighted(weights), sampleOf(units, b).weighted(weights)];
  const random = createRandom(RESAMPLE_SEED, STREAM);
  const drawn = {
    brier: new Float64Array(RESAMPLES),
    auroc: new Float64Array(RESAMPLES),
    augrc: new Float64Array(RESAMPLES),
  };
  for (let draw = 0; draw < RESAMPLES; draw++) {
    weights.fill(0);
    for (let k = 0; k < clusters.length; k++)
      for (const i of clusters[random.integer(clusters.length)]!) weights[i]! += 1;
    ours.refresh();
    theirs.refresh();
    for (const measure of Object.keys(drawn) as Measure[])
      drawn[measure][draw] = estimated(measure, ours) - estimated(measure, theirs);
  }
  const ends = (values: Float64Array) => endsOf(values, clusters.length);
  return { brier: ends(drawn.brier), auroc: ends(drawn.auroc), augrc: ends(drawn.augrc) };
}

/** The percentile interval of replicates; none where there is one cluster, or where they hardly vary: a width of 0 would claim certainty. */
export function endsOf(values: Float64Array, nClusters: number): Ends {
  const [lower, upper] = (nClusters < 2 ? null : percentileInterval(values)) ?? [null, null];
  return lower === upper ? { lower: null, upper: null } : { lower, upper };
}

function estimated(measure: Measure, sample: Sample): number {
  const value = estimateOf(builtInMetric(MEASURES[measure])!, sample);
  return typeof value === 'number' ? value : Number.NaN;
}

function sampleOf(units: readonly SourceUnit[], source: ConfidenceSource): Sample {
  return Sample.of(
    units.map(({ right, confidence }) =>
      evaluationResult({ groundTruth: 1, prediction: right ? 1 : 0, confidence: confidence[source]! }),
    ),
  );
}
