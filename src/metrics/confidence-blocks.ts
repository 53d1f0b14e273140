import { ANSWERED, type Columns } from './columns.ts';
import { NO_LABEL } from './label-table.ts';

/**
 * The usable rows (answered, truth known, confidence stated and valid) grouped by distinct confidence, highest first.
 * Rows of equal confidence are one block, so nothing computed from blocks can depend on the order of rows. A block may be empty in a
 * resample.
 */
export interface ConfidenceBlocks {
  readonly size: number;
  readonly confidence: Float64Array;
  /** Rows in the block. */
  readonly count: Float64Array;
  /** Wrong answers in the block. */
  readonly errors: Float64Array;
  /** All usable rows, and the wrong ones among them. */
  readonly n: number;
  readonly nErrors: number;
}

/** Whether row `i` counts in confidence metrics. */
function isUsable(columns: Columns, i: number): boolean {
  const c = columns.confidence[i]!;
  return columns.state[i] === ANSWERED && columns.truth[i] !== NO_LABEL && c >= 0 && c <= 1;
}

/**
 * The blocks of all rows. The confidences of right and wrong answers are sorted separately and merged, which needs no index sort and
 * costs about one plain sort.
 */
export function blocksOf(columns: Columns): ConfidenceBlocks {
  const { n, truth, prediction, confidence } = columns;
  const right = new Float64Array(n);
  const wrong = new Float64Array(n);
  let nRight = 0;
  let nWrong = 0;
  for (let i = 0; i < n; i++) {
    if (!isUsable(columns, i)) continue;
    if (truth[i] === prediction[i]) right[nRight++] = confidence[i]!;
    else wrong[nWrong++] = confidence[i]!;
  }
  const a = right.subarray(0, nRight).sort();
  const b = wrong.subarray(0, nWrong).sort();
  const values = new Float64Array(nRight + nWrong);
  const count = new Float64Array(nRight + nWrong);
  const errors = new Float64Array(nRight + nWrong);
  let size = 0;
  let i = nRight - 1;
  let j = nWrong - 1;
  while (i >= 0 || j >= 0) {
    const top = i < 0 ? b[j]! : j < 0 ? a[i]! : Math.max(a[i]!, b[j]!);
    const i0 = i;
    const j0 = j;
    while (i >= 0 && a[i] === top) i--;
    while (j >= 0 && b[j] === top) j--;
    values[size] = top;
    count[size] = i0 - i + (j0 - j);
    errors[size] = j0 - j;
    size++;
  }
  return {
    size,
    confidence: values.subarray(0, size),
    count: count.subarray(0, size),
    errors: errors.subarray(0, size),
    n: nRight + nWrong,
    nErrors: nWrong,
  };
}

/** The slot of each row: twice its block, plus one if the answer is wrong; -1 for a row that is not usable. */
export function slotsOf(columns: Columns, blocks: ConfidenceBlocks): Int32Array {
  const slots = new Int32Array(columns.n);
  for (let i = 0; i < columns.n; i++) {
    if (!isUsable(columns, i)) {
      slots[i] = -1;
      continue;
    }
    const block = findDescending(blocks.confidence, columns.confidence[i]!);
    slots[i] = 2 * block + (columns.truth[i] === columns.prediction[i] ? 0 : 1);
  }
  return slots;
}

/** The blocks with every row as often as its weight says. */
export function reweighted(
  { size, confidence }: ConfidenceBlocks,
  slots: Int32Array,
  weights: Uint32Array,
): ConfidenceBlocks {
  const count = new Float64Array(size);
  const errors = new Float64Array(size);
  let n = 0;
  let nErrors = 0;
  for (let i = 0; i < slots.length; i++) {
    const slot = slots[i]!;
    if (slot < 0) continue;
    const weight = weights[i]!;
    count[slot >> 1]! += weight;
    n += weight;
    if ((slot & 1) === 0) continue;
    errors[slot >> 1]! += weight;
    nErrors += weight;
  }
  return { size, confidence, count, errors, n, nErrors };
}

/** The place of a value in descending values. */
export function findDescending(values: Float64Array, wanted: number): number {
  let low = 0;
  let high = values.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle]! > wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}
