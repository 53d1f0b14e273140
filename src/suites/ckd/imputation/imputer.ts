import { argumentError } from '../../../core/index.ts';
import type { UciColumn } from '../source/columns.ts';
import { advance, type Filling, fitLink, type Measured } from './chain.ts';
import {
  checkRow,
  type FeatureColumn,
  type FeatureName,
  type FeatureRow,
  featureColumns,
} from './feature-row.ts';
import { randomOfContent, rowContent, sortedByContent } from './row-content.ts';

export interface ImputerOptions {
  readonly seed: number;
  /** Passes over all columns. Default: 5. */
  readonly iterations?: number;
  /** Nearest training rows that a value is drawn from. Default: 5. */
  readonly donors?: number;
}

export interface Imputation<Row> {
  /** The rows in the order given, with every gap in the imputer's columns filled. */
  readonly rows: Row[];
  /** For each row the columns that were filled, in column order: their values were not measured. */
  readonly imputed: FeatureName[][];
}

export interface Imputer {
  apply<Row extends FeatureRow>(rows: readonly Row[]): Imputation<Row>;
}

/** Apart from the streams of the statistics (0 to 3) and of the splits (16, 17). */
const STREAM = 18;

/**
 * Learns from training rows how to fill gaps: chained equations with predictive mean matching.
 *
 * Gaps begin with random observed values. Then, `iterations` times, each column in turn, the one with the fewest gaps
 * first: a ridge regression on all other columns is fitted to the rows where it was measured, and each gap takes the
 * measured value of one of the `donors` training rows whose predictions are nearest. So every value filled in was
 * observed in the training part: quantities are possible and words stay words. `apply` runs a row through the
 * same equations with the same training donors; it learns nothing.
 *
 * Promises: no label can be given (only `values` are read, and only features are allowed in them). The outcome for a row
 * depends on the training rows (not their order), the columns, the options and the row's own values: not on its id,
 * its place or other rows. It is one draw of what might have been measured: as spread out as real values, not a best
 * guess, and nothing to base a label on.
 * Source: van Buuren & Groothuis-Oudshoorn 2011 (chained equations); Little 1988 (matching).
 *
 * @throws KrisisError without rows, for a column nowhere measured, a column or value that is not a feature, and bad options.
 * @example
 * ```ts
 * fitImputer([{ values: { pot: 4 } }], [{ kind: 'numeric', name: 'pot' }], { seed: 1 }).apply([{ values: {} }]).rows // => [{ values: { pot: 4 } }]
 * ```
 */
export function fitImputer(
  rows: readonly FeatureRow[],
  columns: readonly UciColumn[],
  { seed, iterations = 5, donors = 5 }: ImputerOptions,
): Imputer {
  const features = featureColumns(columns);
  for (const row of rows) checkRow(row, features);
  checkCount('iterations', iterations);
  checkCount('donors', donors);
  const training = sortedByContent(rows, features);
  const observed = features.map((column) => observedIn(column, training));
  const fillings = training.map(begin);

  const gaps = features.map((_, j) => fillings.filter((filling) => filling.gaps[j]).length);
  const order = [...features.keys()].sort((a, b) => gaps[a]! - gaps[b]!);
  const chain = Array.from({ length: iterations }, () => order)
    .flat()
    .map((target) => {
      const link = fitLink(target, fillings, features);
      for (const filling of fillings) advance(filling, link, features, donors);
      return link;
    });
  return { apply: (given) => collect(given, given.map(fill)) };

  function begin(row: FeatureRow): Filling {
    const random = randomOfContent(rowContent(row, features), seed, STREAM);
    return {
      values: features.map(
        ({ name }, j) => row.values[name] ?? observed[j]![random.integer(observed[j]!.length)]!,
      ),
      gaps: features.map(({ name }) => (row.values[name] ?? null) === null),
      random,
    };
  }

  function fill(row: FeatureRow): Filling {
    checkRow(row, features);
    const filling = begin(row);
    for (const link of chain) advance(filling, link, features, donors);
    return filling;
  }

  function collect<Row extends FeatureRow>(
    given: readonly Row[],
    filled: readonly Filling[],
  ): Imputation<Row> {
    return {
      rows: given.map((row, i) => {
        const values = Object.fromEntries(features.map(({ name }, j) => [name, filled[i]!.values[j]!]));
        return { ...row, values: { ...row.values, ...values } };
      }),
      imputed: filled.map((filling) => features.filter((_, j) => filling.gaps[j]).map(({ name }) => name)),
    };
  }
}

function observedIn({ name, label }: FeatureColumn, rows: readonly FeatureRow[]): Measured[] {
  const observed = rows.flatMap(({ values }) => values[name] ?? []);
  if (observed.length > 0) return observed;
  throw argumentError(
    rows.length === 0
      ? 'there are no training rows to learn imputation from; give a smaller test part or more data'
      : `column "${name}" (${label}) is missing in all ${rows.length} training rows, so that nothing can be imputed; leave the column out, or keep missing values as they are (missing: 'keep')`,
    name,
  );
}

function checkCount(name: string, value: number): void {
  if (Number.isInteger(value) && value >= 1) return;
  throw argumentError(`${name} is ${value}; expected 1, 2, 3, ...`, value);
}
