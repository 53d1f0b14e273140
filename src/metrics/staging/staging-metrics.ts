import { type Label, sameLabel } from '../../core/label.ts';
import { weightedKappa } from '../../statistics/kappa.ts';
import { ABSTAINED, ANSWERED } from '../columns.ts';
import { type DefinedMetric, type TableSpec, tableMetric } from '../define-metric.ts';
import type { Sample } from '../sample.ts';

interface OrdinalOptions {
  /** The labels from lowest to highest; distance is by position. */
  readonly labels: readonly Label[];
}

/** A metric on answered rows whose answer is on the scale; the details count the rows left out. */
function ordinalMetric({
  share,
  ...spec
}: Omit<TableSpec<OrdinalTable>, 'family' | 'restsOn'> & {
  /** For a share: which pairs of positions count. */
  readonly share?: (truth: number, prediction: number) => boolean;
}): (options: OrdinalOptions) => DefinedMetric {
  return ({ labels }) =>
    tableMetric<OrdinalTable>((sample) => ordinalTable(sample, labels), {
      family: 'staging',
      restsOn: 'counts',
      answeredOnly: true,
      emptyReason: 'nothing_answered_on_the_scale',
      ...(share && {
        proportion: (table) => ({ successes: sumOver(table, (i, j) => Number(share(i, j))), n: table.n }),
      }),
      details: ({ offScale, withoutTruth }) => ({
        scale: labels,
        n_off_scale: offScale,
        n_without_truth_on_scale: withoutTruth,
      }),
      ...spec,
    });
}

/**
 * Quadratic weighted kappa: agreement beyond chance, where two stages off weighs four times one stage off.
 *
 * Formula: 1 - sum w O / sum w E, w = (i - j)^2, E from the margins. All in one cell (0/0): null. Constant answers: 0. Source: Cohen 1968.
 *
 * @example
 * ```ts
 * qwk({ labels: [1, 2, 3, 4, 5] }).compute([
 *   evaluationResult({ prediction: 2, groundTruth: 2 }),
 *   evaluationResult({ prediction: 1, groundTruth: 3 }),
 *   evaluationResult({ prediction: 5, groundTruth: 4 }),
 *   evaluationResult({ prediction: 4, groundTruth: 4 }),
 * ]).value // => 0.6153846153846154
 * ```
 */
export function qwk(options: OrdinalOptions & { name?: string }) {
  return ordinalMetric({
    name: options.name ?? 'qwk',
    label: 'Quadratic Weighted Kappa',
    reads: 'agreement beyond chance',
    formula: '1 - sum w O / sum w E, w = squared distance',
    range: '-1 to 1',
    misleads: 'Does not show the direction of errors and depends on how common the stages are.',
    better: 'higher',
    estimate: (table) => weightedKappa(table.counts, 'quadratic') ?? 'no_expected_disagreement',
  })(options);
}

/**
 * The mean distance from the truth, in positions: mean |i - j|. Nothing answered on the scale: null.
 *
 * @example
 * ```ts
 * maeStages({ labels: [1, 2, 3, 4, 5] }).compute([
 *   evaluationResult({ prediction: 2, groundTruth: 2 }),
 *   evaluationResult({ prediction: 1, groundTruth: 3 }),
 *   evaluationResult({ prediction: 5, groundTruth: 4 }),
 *   evaluationResult({ prediction: 4, groundTruth: 4 }),
 * ]).value // => 0.75
 * ```
 */
export const maeStages = ordinalMetric({
  name: 'mae_stages',
  label: 'Mean Absolute Stage Error',
  reads: 'stages off, on average',
  formula: 'mean distance in stages',
  range: 'from 0',
  misleads: 'Many small errors look like a few severe ones.',
  better: 'lower',
  estimate: (table) => sumOver(table, (i, j) => Math.abs(i - j)) / table.n,
});

/**
 * The share of answers at most one position from the truth. Denominator: answered rows on the scale; none: null.
 *
 * @example
 * ```ts
 * offByOneAccuracy({ labels: [1, 2, 3, 4, 5] }).compute([
 *   evaluationResult({ prediction: 2, groundTruth: 2 }),
 *   evaluationResult({ prediction: 1, groundTruth: 3 }),
 *   evaluationResult({ prediction: 5, groundTruth: 4 }),
 *   evaluationResult({ prediction: 4, groundTruth: 4 }),
 * ]).value // => 0.75
 * ```
 */
export const offByOneAccuracy = ordinalMetric({
  name: 'off_by_one_accuracy',
  label: 'Off-by-one Accuracy',
  reads: 'at most one stage off',
  formula: 'distance at most 1 / answered on the scale',
  misleads: 'Always calling the middle of a short scale scores high.',
  better: 'higher',
  share: (truth, prediction) => Math.abs(truth - prediction) <= 1,
});

/**
 * The share of answers milder than the truth: the direction that loses time. Denominator: answered rows on the scale; none: null.
 *
 * @example
 * ```ts
 * underStagingRate({ labels: [1, 2, 3, 4, 5] }).compute([
 *   evaluationResult({ prediction: 2, groundTruth: 2 }),
 *   evaluationResult({ prediction: 1, groundTruth: 3 }),
 *   evaluationResult({ prediction: 5, groundTruth: 4 }),
 *   evaluationResult({ prediction: 4, groundTruth: 4 }),
 * ]).value // => 0.25
 * ```
 */
export const underStagingRate = ordinalMetric({
  name: 'under_staging_rate',
  label: 'Under-staging Rate',
  reads: 'called milder than it is',
  formula: 'answer below the truth / answered on the scale',
  misleads: 'Calling every case severe gives 0: read it with `over_staging_rate`.',
  better: 'lower',
  share: (truth, prediction) => prediction < truth,
});

/**
 * The share of answers at least two positions milder than the truth. Denominator: answered rows on the scale; none: null.
 *
 * @example
 * ```ts
 * severeUnderStagingRate({ labels: [1, 2, 3, 4, 5] }).compute([
 *   evaluationResult({ prediction: 2, groundTruth: 2 }),
 *   evaluationResult({ prediction: 1, groundTruth: 3 }),
 *   evaluationResult({ prediction: 5, groundTruth: 4 }),
 *   evaluationResult({ prediction: 4, groundTruth: 4 }),
 * ]).value // => 0.25
 * ```
 */
export const severeUnderStagingRate = ordinalMetric({
  name: 'severe_under_staging_rate',
  label: 'Severe Under-staging Rate',
  reads: 'milder by two stages or more',
  formula: 'two stages or more below / answered on the scale',
  misleads: 'Rests on few cases: look at the interval.',
  better: 'lower',
  share: (truth, prediction) => prediction <= truth - 2,
});

/**
 * The share of answers graver than the truth. Denominator: answered rows on the scale; none: null.
 *
 * @example
 * ```ts
 * overStagingRate({ labels: [1, 2, 3, 4, 5] }).compute([
 *   evaluationResult({ prediction: 2, groundTruth: 2 }),
 *   evaluationResult({ prediction: 1, groundTruth: 3 }),
 *   evaluationResult({ prediction: 5, groundTruth: 4 }),
 *   evaluationResult({ prediction: 4, groundTruth: 4 }),
 * ]).value // => 0.25
 * ```
 */
export const overStagingRate = ordinalMetric({
  name: 'over_staging_rate',
  label: 'Over-staging Rate',
  reads: 'more severe than the truth',
  formula: 'answer above the truth / answered on the scale',
  misleads: 'Calling every case mild gives 0.',
  better: 'lower',
  share: (truth, prediction) => prediction > truth,
});

/**
 * Somers' D of the answer given the truth: over pairs of rows with different truths, concordant less discordant, divided by all of them.
 * One class in the truth: null. 1: the order is kept throughout; 0: no relation. Source: Somers 1962.
 *
 * @example
 * ```ts
 * somersD({ labels: [1, 2, 3, 4, 5] }).compute([
 *   evaluationResult({ prediction: 2, groundTruth: 2 }),
 *   evaluationResult({ prediction: 1, groundTruth: 3 }),
 *   evaluationResult({ prediction: 5, groundTruth: 4 }),
 *   evaluationResult({ prediction: 4, groundTruth: 4 }),
 * ]).value // => 0.6
 * ```
 */
export const somersD = ordinalMetric({
  name: 'somers_d',
  label: "Somers' D",
  reads: 'order kept between patients',
  formula: '(concordant - discordant) / pairs with different truths',
  range: '-1 to 1',
  misleads: 'An answer that is one stage off throughout is perfect.',
  better: 'higher',
  estimate: (table) => {
    const score = sumOver(table, (truth, prediction) =>
      sumOver(table, (i, j) => (i < truth ? Math.sign(prediction - j) : 0)),
    );
    const pairs = sumOver(table, (truth) => sumOver(table, (i) => Number(i < truth)));
    return pairs === 0 ? 'one_class' : score / pairs;
  },
});

/**
 * Of patients at or beyond a management line (such as the stage at which a guideline refers), the share called short of it.
 *
 * Formula: #(truth >= line, answer < line) / #(truth >= line, answered on the scale). No such rows: null.
 *
 * @example
 * ```ts
 * underStagingAcrossLine({ labels: [1, 2, 3, 4, 5], line: 4 }).compute([
 *   evaluationResult({ prediction: 3, groundTruth: 4 }),
 *   evaluationResult({ prediction: 4, groundTruth: 5 }),
 * ]).value // => 0.5
 * ```
 */
export function underStagingAcrossLine({ labels, line }: OrdinalOptions & { line: Label }) {
  const at = labels.findIndex((label) => sameLabel(label, line));
  return ordinalMetric({
    name: 'under_staging_across_line',
    label: `Under-staging across ${line}`,
    reads: 'beyond the line, called short of it',
    formula: 'called below the line / truth at the line or above',
    misleads: 'Few patients are there.',
    better: 'lower',
    emptyReason: 'no_rows_beyond_the_line',
    proportion: (table) => ({
      successes: sumOver(table, (truth, prediction) => Number(at <= truth && prediction < at)),
      n: at < 0 ? 0 : sumOver(table, (truth) => Number(at <= truth)),
    }),
    nEvaluated: (table) => sumOver(table, (truth) => Number(at <= truth)),
    details: () => ({ line }),
  })({ labels });
}

/** Answers against the truth on an ordered scale. */
interface OrdinalTable {
  /** counts[truth][prediction], by position on the scale. */
  readonly counts: readonly (readonly number[])[];
  /** Answered rows on the scale. */
  readonly n: number;
  /** Not abstained, but without an answer on the scale: wrong in accuracy, left out here. */
  readonly offScale: number;
  /** Rows whose truth is not on the scale, or not derivable. */
  readonly withoutTruth: number;
}

function ordinalTable(sample: Sample, scale: readonly Label[]): OrdinalTable {
  return sample.once(`ordinal:${JSON.stringify(scale)}`, ({ cells, counts: weights, columns }) => {
    const position = new Map(scale.map((label, i) => [columns.labels.findCode(label), i]));
    const counts = scale.map(() => scale.map(() => 0));
    let n = 0;
    let offScale = 0;
    let withoutTruth = 0;
    for (let c = 0; c < cells.size; c++) {
      const weight = weights[c]!;
      const truth = position.get(cells.truth[c]!);
      const prediction = cells.state[c] === ANSWERED ? position.get(cells.prediction[c]!) : undefined;
      if (cells.state[c] === ABSTAINED) continue;
      if (truth === undefined) withoutTruth += weight;
      else if (prediction === undefined) offScale += weight;
      else {
        counts[truth]![prediction]! += weight;
        n += weight;
      }
    }
    return { counts, n, offScale, withoutTruth };
  });
}

/** Sums a weight over all cells of the table. */
function sumOver(table: OrdinalTable, weight: (truth: number, prediction: number) => number): number {
  let sum = 0;
  table.counts.forEach((row, truth) => {
    row.forEach((count, prediction) => {
      if (count > 0) sum += count * weight(truth, prediction);
    });
  });
  return sum;
}
