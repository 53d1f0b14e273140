import { estimateOf, type Metric } from '../../metrics/index.ts';
import { createRandom, RANDOM_STREAMS } from '../../statistics/index.ts';
import type { Endpoint } from './endpoints.ts';
import type { PairedSample } from './paired-sample.ts';

/** An endpoint with its differences per record, where it has such. */
export interface EndpointDifferences {
  readonly endpoint: Endpoint;
  /** Model minus baseline, NaN for a record that has no score in one of them; null where the metric is no mean over records. */
  readonly differences: Float64Array | null;
}

/**
 * The difference (model minus baseline) of every endpoint on each resample of records; a drawn record brings its rows of both runs. One set
 * of draws serves all endpoints. NaN where a resample leaves an endpoint undefined.
 */
export function pairedReplicates(
  paired: PairedSample,
  endpoints: readonly EndpointDifferences[],
  { resamples, seed }: { readonly resamples: number; readonly seed: number },
): Float64Array[] {
  const n = paired.unitOf.length;
  const { nUnits, unitOf, representative } = paired;
  const counts = new Uint32Array(nUnits);
  const both = paired.weighted(counts);
  const random = createRandom(seed, RANDOM_STREAMS.pairedBootstrap);
  const ofUnits = endpoints.map(({ differences }) =>
    differences === null ? null : sparse(representative, differences),
  );
  const needsRows = ofUnits.some((differences) => differences === null);
  const found = endpoints.map(() => new Float64Array(resamples));
  for (let b = 0; b < resamples; b++) {
    counts.fill(0);
    for (let i = 0; i < n; i++) counts[unitOf[random.integer(n)]!]! += 1;
    if (needsRows) both.refresh();
    for (let e = 0; e < endpoints.length; e++) {
      const differences = ofUnits[e]!;
      found[e]![b] =
        differences === null
          ? differenceOf(endpoints[e]!.endpoint.metric, both)
          : meanDifference(differences, counts, n);
    }
  }
  return found;
}

/** The metric of the model minus that of the baseline; NaN where one of them is undefined. */
function differenceOf(metric: Metric, { baseline, model }: ReturnType<PairedSample['weighted']>): number {
  const theirs = estimateOf(metric, model);
  const ours = estimateOf(metric, baseline);
  return typeof theirs === 'number' && typeof ours === 'number' ? theirs - ours : Number.NaN;
}

/** Differences by unit. Most are 0, and only the others have to be added up. */
interface SparseDifferences {
  readonly units: Int32Array;
  readonly values: Float64Array;
  /** Units without a score in one of the runs. */
  readonly undefinedUnits: Int32Array;
}

function sparse(representative: Int32Array, differences: Float64Array): SparseDifferences {
  const units = Int32Array.from(representative.keys());
  const of = (unit: number) => differences[representative[unit]!]!;
  const counted = units.filter((unit) => of(unit) !== 0 && !Number.isNaN(of(unit)));
  return {
    units: counted,
    values: Float64Array.from(counted, of),
    undefinedUnits: units.filter((unit) => Number.isNaN(of(unit))),
  };
}

function meanDifference(
  { units, values, undefinedUnits }: SparseDifferences,
  counts: Uint32Array,
  nDrawn: number,
): number {
  let sum = 0;
  for (let k = 0; k < units.length; k++) sum += counts[units[k]!]! * values[k]!;
  let n = nDrawn;
  for (let k = 0; k < undefinedUnits.length; k++) n -= counts[undefinedUnits[k]!]!;
  return n === 0 ? Number.NaN : sum / n;
}
