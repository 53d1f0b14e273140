import { ANSWERED, type Columns } from './columns.ts';
import { NO_LABEL } from './label-table.ts';

/**
 * The usable rows (answered with a valid confidence, and known to be right or wrong) grouped by distinct confidence, highest first. An answer
 * where no answer exists is wrong. Rows of equal confidence are one block, so nothing computed from blocks can depend on the order of rows. A
 * block may be empty in a resample.
 */
export interface ConfidenceBlocks {
  readonly size: number;
  readonly confidence: Float64Array;
  /** Rows in the block. */
  readonly count: Float64Array;
  /** Wrong answers in the block. */
  readonly errors: Float64Array;
  /** Those of the wrong answers that were given where no answer exists. */
  readonly unanswerable: Float64Array;
  /** All usable rows, the wrong ones among them, and those given where no answer exists. */
  readonly n: number;
  readonly nErrors: number;
  readonly nUnanswerable: number;
}

const RIGHT = 0;
const WRONG = 1;
/** Wrong, because there is no answer: its first bit says wrong. */
const NO_ANSWER_EXISTS = 3;

/** How row `i` counts in confidence metrics; null where it does not. */
function kindOf({ state, truth, prediction, confidence, shouldAbstain }: Columns, i: number): number | null {
  const c = confidence[i]!;
  if (state[i] !== ANSWERED || !(c >= 0 && c <= 1)) return null;
  if (truth[i] === NO_LABEL) return shouldAbstain[i] === 1 ? NO_ANSWER_EXISTS : null;
  return truth[i] === prediction[i] ? RIGHT : WRONG;
}

/**
 * The blocks of all rows. The confidences of right, wrong and unanswerable rows are sorted separately and merged, which needs no index sort and
 * costs about one plain sort.
 */
export function blocksOf(columns: Columns): ConfidenceBlocks {
  const { n, confidence } = columns;
  const right = new Float64Array(n);
  const wrong = new Float64Array(n);
  const noAnswer: number[] = [];
  let nRight = 0;
  let nWrong = 0;
  for (let i = 0; i < n; i++) {
    const kind = kindOf(columns, i);
    if (kind === RIGHT) right[nRight++] = confidence[i]!;
    else if (kind === WRONG) wrong[nWrong++] = confidence[i]!;
    else if (kind === NO_ANSWER_EXISTS) noAnswer.push(confidence[i]!);
  }
  const a = right.subarray(0, nRight).sort();
  const b = wrong.subarray(0, nWrong).sort();
  const c = Float64Array.from(noAnswer).sort();
  const nUsable = nRight + nWrong + c.length;
  const values = new Float64Array(nUsable);
  const count = new Float64Array(nUsable);
  const errors = new Float64Array(nUsable);
  const unanswerable = new Float64Array(nUsable);
  let size = 0;
  let i = nRight - 1;
  let j = nWrong - 1;
  let k = c.length - 1;
  while (i >= 0 || j >= 0 || k >= 0) {
    const top = Math.max(i < 0 ? -1 : a[i]!, j < 0 ? -1 : b[j]!, k < 0 ? -1 : c[k]!);
    const i0 = i;
    const j0 = j;
    const k0 = k;
    while (i >= 0 && a[i] === top) i--;
    while (j >= 0 && b[j] === top) j--;
    while (k >= 0 && c[k] === top) k--;
    values[size] = top;
    unanswerable[size] = k0 - k;
    errors[size] = j0 - j + (k0 - k);
    count[size] = i0 - i + errors[size]!;
    size++;
  }
  return {
    size,
    confidence: values.subarray(0, size),
    count: count.subarray(0, size),
    errors: errors.subarray(0, size),
    unanswerable: unanswerable.subarray(0, size),
    n: nUsable,
    nErrors: nWrong + c.length,
    nUnanswerable: c.length,
  };
}

/** The slot of each row: four times its block plus its kind; -1 for a row that is not usable. */
export function slotsOf(columns: Columns, blocks: ConfidenceBlocks): Int32Array {
  const slots = new Int32Array(columns.n);
  for (let i = 0; i < columns.n; i++) {
    const kind = kindOf(columns, i);
    slots[i] = kind === null ? -1 : 4 * findDescending(blocks.confidence, columns.confidence[i]!) + kind;
  }
  return slots;
}

/** The blocks with every row as often as its weight says. */
export function reweighted(
  { size, confidence, ...plain }: ConfidenceBlocks,
  slots: Int32Array,
  weights: Uint32Array,
): ConfidenceBlocks {
  const count = new Float64Array(size);
  const errors = new Float64Array(size);
  // Zeros stay zeros, whatever the weights.
  const unanswerable = plain.nUnanswerable === 0 ? plain.unanswerable : new Float64Array(size);
  let n = 0;
  let nErrors = 0;
  let nUnanswerable = 0;
  for (let i = 0; i < slots.length; i++) {
    const slot = slots[i]!;
    if (slot < 0) continue;
    const weight = weights[i]!;
    const block = slot >> 2;
    count[block]! += weight;
    n += weight;
    if ((slot & WRONG) === 0) continue;
    errors[block]! += weight;
    nErrors += weight;
    if ((slot & 3) !== NO_ANSWER_EXISTS) continue;
    unanswerable[block]! += weight;
    nUnanswerable += weight;
  }
  return { size, confidence, count, errors, unanswerable, n, nErrors, nUnanswerable };
}

/** The blocks without answers given where no answer exists; the same object where there are none. */
export function answerableOnly(blocks: ConfidenceBlocks): ConfidenceBlocks {
  const { unanswerable, nUnanswerable } = blocks;
  if (nUnanswerable === 0) return blocks;
  return {
    ...blocks,
    count: blocks.count.map((rows, b) => rows - unanswerable[b]!),
    errors: blocks.errors.map((rows, b) => rows - unanswerable[b]!),
    unanswerable: new Float64Array(blocks.size),
    n: blocks.n - nUnanswerable,
    nErrors: blocks.nErrors - nUnanswerable,
    nUnanswerable: 0,
  };
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
