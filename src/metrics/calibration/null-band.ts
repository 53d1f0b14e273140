import { createRandom, drawBinomial, type Random } from '../../statistics/random.ts';
import { mean, quantile } from '../../statistics/samples.ts';
import type { ScoreOptions } from '../../statistics/score-options.ts';
import { monteCarloPValue } from '../../statistics/sign-flip.ts';
import { ANSWERED } from '../columns.ts';
import { type ConfidenceBlocks, findDescending } from '../confidence-blocks.ts';
import { NO_LABEL } from '../label-table.ts';
import { findCluster } from '../resample.ts';
import type { Sample } from '../sample.ts';

/** The distribution of a calibration error by chance alone, if every confidence were exactly right: its noise floor. */
export interface NullBand {
  readonly null_mean: number;
  readonly null_p95: number;
  /** The p-value of "calibrated": how often chance alone gives at least the observed error. */
  readonly p_calibrated: number;
  readonly simulations: number;
  readonly seed: number;
}

const SIMULATIONS = 1000;
/** A million distinct confidences get a hundred simulations: the band is then so narrow that more would not change it. */
const MAX_DRAWS = 20_000_000;
/** From this many rows of one confidence on, the number of right answers is drawn at once; fewer rows are drawn one by one. */
const DRAWN_AT_ONCE = 8;

/**
 * Simulates right and wrong answers from the stated confidences, z* ~ Bernoulli(c), and measures the error on each. Repeats of a record share one outcome, and so do the
 * rows of a cluster: asking the same record again says nothing new about calibration. Null when nothing is usable or the band is not wanted.
 *
 * An observed error below `null_p95` cannot be distinguished from perfect calibration.
 */
export function nullBand(
  blocks: ConfidenceBlocks,
  {
    computeError,
    sample,
    options,
    simulations: most = SIMULATIONS,
  }: {
    /** The error of right and wrong answers at these confidences. */
    readonly computeError: (blocks: ConfidenceBlocks) => number;
    readonly sample: Sample;
    readonly options: Pick<ScoreOptions, 'nullBand' | 'seed' | 'cluster'>;
    readonly simulations?: number;
  },
): NullBand | null {
  const { nullBand: wanted = true, seed = 42, cluster } = options;
  if (blocks.n === 0 || !wanted) return null;
  const together = findCluster(sample.columns, cluster);
  const outcomes =
    together === null ? independentOutcomes(blocks) : sharedOutcomes(blocks, sample, together.codes);
  const simulations = Math.max(100, Math.min(most, Math.floor(MAX_DRAWS / outcomes.nDraws)));
  const random = createRandom(seed, 'nullBand');
  const errors = new Float64Array(blocks.size);
  const found = Float64Array.from({ length: simulations }, () => {
    outcomes.draw(errors, random);
    return computeError({ ...blocks, errors, nErrors: errors.reduce((sum, wrong) => sum + wrong, 0) });
  }).sort();
  const observed = computeError(blocks);
  return {
    null_mean: mean(found)!,
    null_p95: quantile(found, 0.95)!,
    p_calibrated: monteCarloPValue(
      found.reduce((n, error) => n + Number(error >= observed - 1e-12), 0),
      simulations,
    ),
    simulations,
    seed,
  };
}

interface Outcomes {
  /** Random numbers for one simulation. */
  readonly nDraws: number;
  /** Fills in how many answers of each block are wrong. */
  draw(errors: Float64Array, random: Random): void;
}

function independentOutcomes({ size, confidence, count }: ConfidenceBlocks): Outcomes {
  return {
    nDraws: count.reduce((sum, rows) => sum + Math.min(rows, DRAWN_AT_ONCE), 0),
    draw: (errors, random) => {
      for (let b = 0; b < size; b++) {
        const c = confidence[b]!;
        let right = 0;
        if (count[b]! >= DRAWN_AT_ONCE) right = drawBinomial(count[b]!, c, random);
        else for (let i = 0; i < count[b]!; i++) if (random.float() < c) right += 1;
        errors[b] = count[b]! - right;
      }
    },
  };
}

/** One random number for all rows of a unit: a row is right where it lies below the row's confidence. */
function sharedOutcomes(blocks: ConfidenceBlocks, sample: Sample, codes: Int32Array): Outcomes {
  const { state, truth, confidence, shouldAbstain, n } = sample.columns;
  // Blocks that leave out answers where no answer exists hold fewer rows than are usable.
  const withUnanswerable = blocks.n === sample.confidence.n;
  const isUsable = (row: number) =>
    state[row] === ANSWERED &&
    confidence[row]! >= 0 &&
    confidence[row]! <= 1 &&
    (truth[row] !== NO_LABEL || (withUnanswerable && shouldAbstain[row] === 1));
  const rows = Int32Array.from({ length: n }, (_, row) => row)
    .filter(isUsable)
    .sort((a, b) => codes[a]! - codes[b]!);
  const block = rows.map((row) => findDescending(blocks.confidence, confidence[row]!));
  const isNew = (i: number) => codes[rows[i]!] === NO_LABEL || codes[rows[i]!] !== codes[rows[i - 1]!];
  return {
    nDraws: rows.length,
    draw: (errors, random) => {
      errors.fill(0);
      let drawn = 0;
      for (let i = 0; i < rows.length; i++) {
        if (i === 0 || isNew(i)) drawn = random.float();
        if (drawn >= blocks.confidence[block[i]!]!) errors[block[i]!]! += 1;
      }
    },
  };
}
