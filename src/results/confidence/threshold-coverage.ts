import { createRandom, shuffle } from '../../statistics/index.ts';
import { deployableThreshold, reaches } from '../../statistics/thresholds/index.ts';
import { endsOf } from './resample-sources.ts';
import type { ConfidenceSource } from './source-rows.ts';
import { type Ends, RESAMPLE_SEED, RESAMPLES, type SourceUnit } from './source-unit.ts';

/** The seed of a threshold's split, and streams apart from those of other statistics. */
const SPLIT_SEED = 1;
const STREAMS = { split: 24, one: 25, draws: 26 } as const;

/** The answers in two parts: one chooses the threshold of each source, the other shows what it accepts. */
export interface SplitUnits {
  /** One answer per cluster, since the exact tests need independent ones. */
  readonly calibration: readonly SourceUnit[];
  /** Clusters with all their answers. */
  readonly evaluation: readonly (readonly SourceUnit[])[];
}

/** Halves the clusters by a seed; the split depends on their names, not on the order of rows. */
export function splitUnits(units: readonly SourceUnit[]): SplitUnits {
  const clusters = Map.groupBy(units, ({ cluster }) => cluster);
  const names = shuffle(createRandom(SPLIT_SEED, STREAMS.split), [...clusters.keys()].sort());
  const nCalibration = Math.floor(names.length / 2 + 0.5);
  const random = createRandom(SPLIT_SEED, STREAMS.one);
  const members = names.map((name) => clusters.get(name)!);
  return {
    calibration: members.slice(0, nCalibration).map((own) => own[random.integer(own.length)]!),
    evaluation: members.slice(nCalibration),
  };
}

/** The threshold with the default promise, and the share of evaluation answers that it accepts: 0 without a threshold, null without answers. */
export function thresholdCoverage({ calibration, evaluation }: SplitUnits, source: ConfidenceSource) {
  const confidenceOf = ({ confidence }: SourceUnit) => confidence[source]!;
  const { threshold } = deployableThreshold(
    calibration.map(confidenceOf),
    calibration.map(({ strictlyRight }) => strictlyRight),
  );
  let [n, accepted] = [0, 0];
  for (const own of evaluation)
    for (const unit of own) {
      n += 1;
      if (threshold !== null && reaches(confidenceOf(unit), threshold)) accepted += 1;
    }
  return { threshold, coverage: n === 0 ? null : accepted / n };
}

/** The interval of the difference in coverage a - b. Each part is resampled by itself, and every resample chooses its thresholds again. */
export function resampledCoverage(
  { calibration, evaluation }: SplitUnits,
  a: ConfidenceSource,
  b: ConfidenceSource,
): Ends {
  const random = createRandom(RESAMPLE_SEED, STREAMS.draws);
  const redrawn = <T>(items: readonly T[]) => items.map(() => items[random.integer(items.length)]!);
  const values = Float64Array.from({ length: RESAMPLES }, () => {
    const drawn = { calibration: redrawn(calibration), evaluation: redrawn(evaluation) };
    const [ours, theirs] = [thresholdCoverage(drawn, a), thresholdCoverage(drawn, b)];
    return (ours.coverage ?? Number.NaN) - (theirs.coverage ?? Number.NaN);
  });
  return endsOf(values, Math.min(calibration.length, evaluation.length));
}
