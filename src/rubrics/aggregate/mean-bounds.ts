import type { Bounds } from '../../core/index.ts';

/** What is known of one question: its value, and the range had all its items been scored. */
export interface QuestionRange {
  readonly value: number | null;
  readonly bounds: Bounds | null;
}

/**
 * The least and the greatest that a mean over questions could have been. A question without a value now might have got one: it is taken in where that moves the mean
 * further out. Null where every item was scored.
 *
 * @example
 * ```ts
 * meanBounds([{ value: 1, bounds: null }, { value: 0.5, bounds: { lower: 0.25, upper: 0.75 } }])
 * // => { lower: 0.625, upper: 0.875 }
 * ```
 */
export function meanBounds(questions: readonly QuestionRange[]): Bounds | null {
  if (questions.every(({ bounds }) => bounds === null)) return null;
  const lower = extreme(questions, ({ lower }) => lower, 1);
  const upper = extreme(questions, ({ upper }) => upper, -1);
  return { lower, upper };
}

/** The mean of one end of the ranges. With `sign` 1 as low as it gets, with -1 as high. */
function extreme(questions: readonly QuestionRange[], end: (bounds: Bounds) => number, sign: 1 | -1): number {
  const certain = questions.filter(({ value }) => value !== null);
  const possible = questions.filter(({ value, bounds }) => value === null && bounds !== null);
  let sum = certain.reduce((total, { value, bounds }) => total + (bounds ? end(bounds) : value!), 0);
  let n = certain.length;
  const ends = possible.map(({ bounds }) => end(bounds!)).sort((a, b) => sign * (a - b));
  for (const value of ends) {
    if (n > 0 && sign * (value - sum / n) >= 0) break;
    sum += value;
    n += 1;
  }
  return sum / n;
}
