import { argumentError } from '../../core/errors.ts';
import { usableConfidences } from '../samples.ts';

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

/** sigmoid(a logit(confidence) + b). */
export interface PlattMap {
  /** Below 0: wrong answers carry the higher confidence. */
  readonly a: number;
  readonly b: number;
}

/** Confidences are clipped to [eps, 1 - eps]. Default: 0.01. */
export interface PlattOptions {
  readonly eps?: number | undefined;
}

/**
 * Platt scaling of confidence: sigmoid(a logit(c) + b), fitted by Newton's method to Platt's targets, (N1 + 1)/(N1 + 2) for right and 1/(N0 + 2) for wrong answers.
 * One distinct confidence: a = 0 and b = the logit of the mean target. Empty: null.
 *
 * Source: Platt 1999.
 *
 * @example
 * ```ts
 * plattFit([0.7, 0.7, 0.7], [1, 0, 1]) // => { a: 0, b: 0.45198512374305694 }
 * ```
 */
export function plattFit(
  stated: readonly (number | null)[],
  rows: readonly (number | boolean)[],
  { eps = 0.01 }: PlattOptions = {},
): PlattMap | null {
  const {
    correct,
    confidences: [confidences],
  } = usableConfidences(rows, stated);
  if (confidences.length === 0) return null;
  const x = confidences.map((confidence) => clippedLogit(confidence, eps));
  const right = correct.filter(Boolean).length;
  const high = (right + 1) / (right + 2);
  const low = 1 / (correct.length - right + 2);
  const targets = correct.map((value) => (value ? high : low));
  if (new Set(x).size === 1) {
    const mean = targets.reduce((sum, target) => sum + target, 0) / targets.length;
    return { a: 0, b: logit(mean) };
  }
  let map: PlattMap = { a: 1, b: 0 };
  let loss = crossEntropy(map, x, targets);
  for (let step = 0; step < MAX_STEPS; step++) {
    const direction = newtonStep(map, x, targets);
    if (direction === null) break;
    let size = 1;
    let next = moved(map, direction, size);
    let nextLoss = crossEntropy(next, x, targets);
    while (!(nextLoss <= loss) && size > MIN_STEP) {
      size /= 2;
      next = moved(map, direction, size);
      nextLoss = crossEntropy(next, x, targets);
    }
    // Within rounding of the minimum, no step lowers the loss any more.
    if (!(nextLoss <= loss)) break;
    map = next;
    loss = nextLoss;
  }
  return map;
}

const MAX_STEPS = 200;
const MIN_STEP = 1e-12;
const SMALL_GRADIENT = 1e-10;

/**
 * Confidences after Platt scaling.
 *
 * @example
 * ```ts
 * plattPredict({ a: 0.7, b: -0.4 }, [0.5])[0]!.toFixed(6) // => '0.401312'
 * ```
 */
export function plattPredict(
  { a, b }: PlattMap,
  at: readonly number[],
  { eps = 0.01 }: PlattOptions = {},
): number[] {
  return at.map((confidence) => sigmoid(a * clippedLogit(confidence, eps) + b));
}

/** The Newton step from here, or null where the gradient is small enough. */
function newtonStep({ a, b }: PlattMap, x: readonly number[], targets: readonly number[]): PlattMap | null {
  let [ga, gb, haa, hab, hbb] = [0, 0, 0, 0, 0];
  for (const [i, value] of x.entries()) {
    const p = sigmoid(a * value + b);
    const weight = p * (1 - p);
    ga += (p - targets[i]!) * value;
    gb += p - targets[i]!;
    haa += weight * value * value;
    hab += weight * value;
    hbb += weight;
  }
  if (Math.max(Math.abs(ga), Math.abs(gb)) < SMALL_GRADIENT) return null;
  const determinant = haa * hbb - hab * hab;
  // The Hessian of distinct confidences is positive definite; rounding alone can make it singular.
  if (!(determinant > 0)) return { a: -ga / (haa + 1), b: -gb / (hbb + 1) };
  return { a: (hab * gb - hbb * ga) / determinant, b: (hab * ga - haa * gb) / determinant };
}

function moved(map: PlattMap, direction: PlattMap, size: number): PlattMap {
  return { a: map.a + size * direction.a, b: map.b + size * direction.b };
}

function crossEntropy({ a, b }: PlattMap, x: readonly number[], targets: readonly number[]): number {
  // -t log p - (1 - t) log(1 - p) = log(1 + exp(-z)) + (1 - t) z, written so that it does not overflow.
  let sum = 0;
  for (const [i, value] of x.entries()) {
    const z = a * value + b;
    sum += Math.log1p(Math.exp(-Math.abs(z))) + Math.max(-z, 0) + (1 - targets[i]!) * z;
  }
  return sum;
}

function clippedLogit(confidence: number, eps: number): number {
  if (!(eps > 0 && eps < 0.5)) throw argumentError(`eps is ${eps}; expected a number between 0 and 0.5`, eps);
  return logit(Math.min(1 - eps, Math.max(eps, confidence)));
}

function logit(p: number): number {
  return Math.log(p / (1 - p));
}

function sigmoid(z: number): number {
  return z >= 0 ? 1 / (1 + Math.exp(-z)) : Math.exp(z) / (1 + Math.exp(z));
}
