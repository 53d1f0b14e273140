import type { Random } from '../../../statistics/index.ts';
import type { UciValue } from '../source/columns.ts';
import { type DrawDonor, donorPool } from './donors.ts';
import { asNumber, type FeatureColumn } from './feature-row.ts';
import { fitRidge, type LinearModel } from './ridge-regression.ts';

export type Measured = NonNullable<UciValue>;

/** A row being filled: the current value of each column, which of them were missing, and the row's random numbers. */
export interface Filling {
  readonly values: Measured[];
  readonly gaps: readonly boolean[];
  readonly random: Random;
}

/** One equation of the chain: the place of the column it fills, its model, and the training rows to draw from. */
export interface Link {
  readonly target: number;
  readonly model: LinearModel;
  readonly draw: DrawDonor<Measured>;
}

/**
 * Learns to predict one column from all others, on the rows where it was measured; those are its donors.
 *
 * @example
 * ```ts
 * fitLink(1, [{ values: [1, 4], gaps: [false, false] }], [{ kind: 'numeric' }, { kind: 'numeric' }]).model([2]) // => 4
 * ```
 */
export function fitLink(
  target: number,
  fillings: readonly Pick<Filling, 'values' | 'gaps'>[],
  columns: readonly FeatureColumn[],
): Link {
  const measured = fillings.filter(({ gaps }) => !gaps[target]).map(({ values }) => values);
  const predictors = measured.map((values) => predictorsOf(values, target, columns));
  const model = fitRidge(
    predictors,
    measured.map((values) => asNumber(values[target]!, columns[target]!)),
  );
  const donors = measured.map((values, i) => ({ predicted: model(predictors[i]!), value: values[target]! }));
  return { target, model, draw: donorPool(donors) };
}

/**
 * Fills the row's gap in the link's column again, if it has one. Changes the row in place.
 */
export function advance(
  filling: Filling,
  { target, model, draw }: Link,
  columns: readonly FeatureColumn[],
  donors: number,
): void {
  if (!filling.gaps[target]) return;
  const predicted = model(predictorsOf(filling.values, target, columns));
  filling.values[target] = draw(predicted, donors, filling.random);
}

function predictorsOf(
  values: readonly Measured[],
  target: number,
  columns: readonly FeatureColumn[],
): number[] {
  return values.map((value, j) => asNumber(value, columns[j]!)).toSpliced(target, 1);
}
