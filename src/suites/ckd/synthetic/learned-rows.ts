import { argumentError } from '../../../core/index.ts';
import { createRandom, normalCdf, normalQuantile, type Random, shuffle } from '../../../statistics/index.ts';
import { apportion } from '../../split/apportion.ts';
import {
  asNumber,
  checkRow,
  type FeatureColumn,
  type FeatureName,
  type FeatureRow,
  featureColumns,
} from '../imputation/feature-row.ts';
import { sortedByContent } from '../imputation/row-content.ts';
import { UCI_CLASSES, type UciClass, type UciColumn, type UciValue } from '../source/columns.ts';
import { correlationFactor } from './correlation.ts';
import { empiricalQuantile } from './empirical-quantile.ts';
import { normalScores } from './normal-scores.ts';

export interface LabelledRow extends FeatureRow {
  readonly class: UciClass;
}

/** A synthetic row: drawn, not measured. */
export interface SyntheticRow {
  readonly values: Readonly<Partial<Record<FeatureName, UciValue>>>;
  /** The class whose training rows it was learned from; the class of no patient. */
  readonly class: UciClass;
  readonly origin: 'synthetic';
  /** No value was copied from a patient's row; only which cells are empty was. */
  readonly donorless: true;
}

/** Apart from the streams of the statistics (0 to 3), of the splits (16, 17) and of imputation (18). */
const STREAM = 19;

/**
 * Draws n synthetic rows like the training rows, within each class a Gaussian copula: observed values give each column's
 * distribution, the correlation of their normal scores says how columns go together.
 *
 * For a row, correlated standard normal numbers z are drawn and column j gets its class's empirical quantile at
 * Phi(z_j). Classes come in the proportion of the training part (largest remainders), in random order. Which cells are
 * empty is copied from a random training row of either class: in the source, rows with CKD miss five times as
 * many cells, and a model could read the class from the gaps alone. Here gaps say nothing about the class.
 * The training rows' order does not matter. Synthetic rows are for reports of their own, never pooled with real ones.
 * Source: Nelsen 2006 (copulas).
 *
 * @throws KrisisError for a column that is measured in one class only, since its gaps would give the class away.
 * @example
 * ```ts
 * learnRows([{ values: { pot: 4 }, class: 'ckd' }], [{ kind: 'numeric', name: 'pot', decimals: 1 }], { n: 1, seed: 1 })[0].values // => { pot: 4 }
 * ```
 */
export function learnRows(
  trainingRows: readonly LabelledRow[],
  columns: readonly UciColumn[],
  { n, seed }: { readonly n: number; readonly seed: number },
): SyntheticRow[] {
  if (!(Number.isInteger(n) && n >= 0)) {
    throw argumentError(`the number of synthetic rows is ${n}; expected 0, 1, 2, ...`, n);
  }
  const features = featureColumns(columns);
  for (const row of trainingRows) checkRow(row, features);
  const random = createRandom(seed, STREAM);
  if (n === 0) return [];
  if (trainingRows.length === 0) {
    throw argumentError(
      'there are no training rows to learn synthetic rows from; give a smaller test part or n 0',
      n,
    );
  }

  const all = sortedByContent(trainingRows, features);
  const measured = features.filter(({ name }) => all.some((row) => (row.values[name] ?? null) !== null));
  const classes = UCI_CLASSES.map((label) => ({ label, rows: all.filter((row) => row.class === label) }));
  const counts = apportion(
    classes.map(({ rows }) => rows.length),
    n,
  );
  const labels = classes.flatMap(({ label }, i) => new Array<UciClass>(counts[i]!).fill(label));
  const samplers = new Map(
    classes
      .filter(({ rows }) => rows.length > 0)
      .map(({ label, rows }) => [label, classSampler(label, rows, measured)]),
  );
  return shuffle(random, labels).map((label) => {
    const drawn = samplers.get(label)!(random);
    const pattern = all[random.integer(all.length)]!.values;
    const values = features.map(({ name }) => [name, (pattern[name] ?? null) === null ? null : drawn[name]!]);
    return { values: Object.fromEntries(values), class: label, origin: 'synthetic', donorless: true };
  });
}

type Drawn = Partial<Record<FeatureName, NonNullable<UciValue>>>;

/** Learns one class; the result draws full rows of it. */
function classSampler(
  label: UciClass,
  rows: readonly LabelledRow[],
  columns: readonly FeatureColumn[],
): (random: Random) => Drawn {
  const cells = columns.map(({ name }) => rows.map(({ values }) => values[name] ?? null));
  const quantiles = columns.map((column, j) => {
    const observed = cells[j]!.filter((value) => value !== null);
    if (observed.length > 0) return empiricalQuantile(observed, column);
    throw argumentError(
      `column "${column.name}" (${column.label}) is measured in no training row of class ${label}, but in the other class; leave it out of synthetic rows`,
      column.name,
    );
  });
  const factor = correlationFactor(
    columns.map((column, j) =>
      normalScores(cells[j]!.map((value) => (value === null ? null : asNumber(value, column)))),
    ),
  );
  return (random) => {
    const independent = columns.map(() => standardNormal(random));
    return Object.fromEntries(
      columns.map(({ name }, j) => {
        const z = factor[j]!.reduce((sum, weight, k) => sum + weight * independent[k]!, 0);
        return [name, quantiles[j]!(normalCdf(z))];
      }),
    );
  };
}

function standardNormal(random: Random): number {
  // 0 would give minus infinity; use half the smallest step instead.
  return normalQuantile(random.float() || 2 ** -54);
}
