/** The rows of one stratum, as far as published shares show them. */
export interface StratumCounts {
  readonly n: number;
  readonly correct: number;
  readonly abstained: number;
}

/** The shares that a file states for one stratum, of all its rows. */
export interface StratumShares {
  readonly accuracy: number;
  readonly abstentionRate: number;
}

/** What the strata add up to. */
export type StratumTotals = StratumCounts;

const MOST_TRIES = 100_000;
const CLOSE = 1e-6;

/**
 * The counts behind published shares: the smallest number of rows that makes whole counts of the shares of a stratum, times whole numbers such that all strata add up to the totals. Null
 * where no counts do, or several: then the file does not say how many rows a stratum has.
 *
 * @example
 * ```ts
 * strataCounts([{ accuracy: 0.75, abstentionRate: 0.25 }, { accuracy: 0.5, abstentionRate: 0 }], { n: 6, correct: 4, abstained: 1 })
 * // => [{ n: 4, correct: 3, abstained: 1 }, { n: 2, correct: 1, abstained: 0 }]
 * ```
 */
export function strataCounts(
  strata: readonly StratumShares[],
  totals: StratumTotals,
): readonly StratumCounts[] | null {
  const smallest = strata.map((shares) => smallestCounts(shares, totals.n));
  if (smallest.length === 0 || smallest.some((counts) => counts === null)) return null;
  const units = smallest as readonly StratumCounts[];
  const found: (readonly number[])[] = [];
  let tries = 0;
  const search = (times: readonly number[], left: StratumCounts): void => {
    tries += 1;
    if (found.length > 1 || tries > MOST_TRIES) return;
    const unit = units[times.length];
    if (unit === undefined) {
      if (left.n === 0 && left.correct === 0 && left.abstained === 0) found.push(times);
      return;
    }
    const isLast = times.length === units.length - 1;
    const most = Math.floor(left.n / unit.n);
    for (let factor = isLast ? Math.max(1, most) : 1; factor <= most; factor++)
      search([...times, factor], less(left, unit, factor));
  };
  search([], totals);
  if (found.length !== 1 || tries > MOST_TRIES) return null;
  return units.map((unit, i) => multiple(unit, found[0]![i]!));
}

function smallestCounts({ accuracy, abstentionRate }: StratumShares, most: number): StratumCounts | null {
  for (let n = 1; n <= most; n++) {
    const [correct, abstained] = [accuracy * n, abstentionRate * n];
    if (isWhole(correct) && isWhole(abstained))
      return { n, correct: Math.round(correct), abstained: Math.round(abstained) };
  }
  return null;
}

/** Whether a product of a published share is a whole number but for rounding. */
export function isWhole(value: number): boolean {
  return Math.abs(value - Math.round(value)) < CLOSE;
}

function multiple({ n, correct, abstained }: StratumCounts, factor: number): StratumCounts {
  return { n: n * factor, correct: correct * factor, abstained: abstained * factor };
}

function less(left: StratumCounts, unit: StratumCounts, factor: number): StratumCounts {
  const taken = multiple(unit, factor);
  return {
    n: left.n - taken.n,
    correct: left.correct - taken.correct,
    abstained: left.abstained - taken.abstained,
  };
}
