/** How few and how many of the places one part may get. */
export interface Share {
  readonly least: number;
  readonly most: number;
}

/**
 * Divides `total` places among parts in proportion to their weights, in whole numbers that add up exactly: the method
 * of largest remainders (Hamilton).
 *
 * Formula: quota = total * weight / sum of weights. Each part gets the whole of its quota; what is left goes one by one
 * to the parts that are furthest below theirs, the earlier one on a tie. `shares` keeps parts within bounds; bounds come
 * before the total, so that the numbers add up to more than `total` where the least of all parts is already more.
 * Weights are whole numbers, and remainders are compared as whole numbers: no rounding on any machine.
 *
 * @example
 * ```ts
 * apportion([250, 150], 80) // => [50, 30]
 * apportion([1, 1, 1], 4) // => [2, 1, 1]
 * apportion([98, 2], 10, [{ least: 1, most: 97 }, { least: 1, most: 1 }]) // => [9, 1]
 * ```
 */
export function apportion(
  weights: readonly number[],
  total: number,
  shares: readonly Share[] = weights.map(() => ({ least: 0, most: Number.POSITIVE_INFINITY })),
): number[] {
  const sum = weights.reduce((all, weight) => all + weight, 0);
  if (sum === 0) return weights.map(() => 0);
  const places = weights.map((weight, part) => {
    const { least, most } = shares[part]!;
    return Math.min(most, Math.max(least, Math.floor((total * weight) / sum)));
  });
  /** How far a part is below its quota, times the sum of weights. */
  const shortfall = (part: number) => total * weights[part]! - places[part]! * sum;
  let given = places.reduce((all, count) => all + count, 0);
  while (given !== total) {
    const step = given < total ? 1 : -1;
    const open = [...weights.keys()].filter((part) =>
      step === 1 ? places[part]! < shares[part]!.most : places[part]! > shares[part]!.least,
    );
    if (open.length === 0) break;
    const part = open.reduce((best, each) => (step * shortfall(each) > step * shortfall(best) ? each : best));
    places[part]! += step;
    given += step;
  }
  return places;
}
