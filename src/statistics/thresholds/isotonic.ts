import { usableConfidences } from '../usable-confidences.ts';

/** Confidences from `from` to `to` that share one value. */
export interface IsotonicBlock {
  readonly from: number;
  readonly to: number;
  readonly n: number;
  /** The share of right answers in the block. */
  readonly value: number;
}

/**
 * Isotonic regression of right answers on confidence (pool adjacent violators over distinct confidences; neighbouring blocks with equal shares are one). Rows without a probability are left out. Empty: null.
 *
 * Source: Zadrozny & Elkan 2002.
 *
 * @example
 * ```ts
 * isotonicFit([0.6, 0.7, 0.8, 0.9], [0, 1, 0, 1])!.map(({ from, value }) => [from, value]) // => [[0.6, 0], [0.7, 0.5], [0.9, 1]]
 * ```
 */
export function isotonicFit(
  stated: readonly (number | null)[],
  right: readonly (number | boolean)[],
): IsotonicBlock[] | null {
  const {
    correct,
    confidences: [confidences],
  } = usableConfidences(right, stated);
  if (confidences.length === 0) return null;
  const counts = new Map<number, { n: number; right: number }>();
  for (const [i, confidence] of confidences.entries()) {
    const before = counts.get(confidence) ?? { n: 0, right: 0 };
    counts.set(confidence, { n: before.n + 1, right: before.right + (correct[i] ? 1 : 0) });
  }
  const blocks: { from: number; to: number; n: number; right: number }[] = [];
  for (const [confidence, { n, right }] of [...counts].sort(([a], [b]) => a - b)) {
    blocks.push({ from: confidence, to: confidence, n, right });
    for (let last = blocks.at(-1)!, before = blocks.at(-2); before; before = blocks.at(-2)) {
      // Shares compared as products of counts: no rounding decides whether two are equal.
      if (before.right * last.n < last.right * before.n) break;
      blocks.pop();
      before.to = last.to;
      before.n += last.n;
      before.right += last.right;
      last = before;
    }
  }
  return blocks.map(({ from, to, n, right }) => ({ from, to, n, value: right / n }));
}

/**
 * The fitted value at each confidence: that of the last block that begins at or below it; below the first block, the first block's.
 *
 * @example
 * ```ts
 * isotonicPredict(isotonicFit([0.6, 0.7, 0.8, 0.9], [0, 1, 0, 1])!, [0.1, 0.75, 0.95]) // => [0, 0.5, 1]
 * ```
 */
export function isotonicPredict(blocks: readonly IsotonicBlock[], at: readonly number[]): number[] {
  return at.map((confidence) => (blocks.findLast(({ from }) => from <= confidence) ?? blocks[0]!).value);
}
