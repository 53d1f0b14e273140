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
  /** Right answers on rows that should be deferred: right in plain metrics, a failure in strict ones. */
  readonly lucky: Float64Array;
  /** All usable rows, the wrong ones among them, those given where no answer exists, and the lucky ones. */
  readonly n: number;
  readonly nErrors: number;
  readonly nUnanswerable: number;
  readonly nLucky: number;
}

const RIGHT = 0;
const WRONG = 1;
/** Right, on a row that should be deferred. */
const LUCKY = 2;
/** Wrong, because there is no answer: its first bit says wrong. */
const NO_ANSWER_EXISTS = 3;

/** How row `i` counts in confidence metrics; null where it does not. */
function classifyAnswer(
  { state, truth, prediction, confidence, shouldAbstain }: Columns,
  i: number,
): number | null {
  const c = confidence[i]!;
  if (state[i] !== ANSWERED || !(c >= 0 && c <= 1)) return null;
  if (truth[i] === NO_LABEL) return shouldAbstain[i] === 1 ? NO_ANSWER_EXISTS : null;
  if (truth[i] !== prediction[i]) return WRONG;
  return shouldAbstain[i] === 1 ? LUCKY : RIGHT;
}

/** Whether row `i` counts in confidence metrics. */
export function isUsable(columns: Columns, i: number): boolean {
  return classifyAnswer(columns, i) !== null;
}

/**
 * The blocks of all rows. The confidences of each kind of row are sorted separately and merged, which needs no index sort and costs about
 * one plain sort.
 */
export function buildBlocks(columns: Columns): ConfidenceBlocks {
  const { n, confidence } = columns;
  const right = new Float64Array(n);
  const wrong = new Float64Array(n);
  const noAnswer: number[] = [];
  const onMustDefer: number[] = [];
  let nRight = 0;
  let nWrong = 0;
  for (let i = 0; i < n; i++) {
    const kind = classifyAnswer(columns, i);
    if (kind === RIGHT) right[nRight++] = confidence[i]!;
    else if (kind === WRONG) wrong[nWrong++] = confidence[i]!;
    else if (kind === NO_ANSWER_EXISTS) noAnswer.push(confidence[i]!);
    else if (kind === LUCKY) onMustDefer.push(confidence[i]!);
  }
  const a = right.subarray(0, nRight).sort();
  const b = wrong.subarray(0, nWrong).sort();
  const c = Float64Array.from(noAnswer).sort();
  const d = Float64Array.from(onMustDefer).sort();
  const nUsable = nRight + nWrong + c.length + d.length;
  const values = new Float64Array(nUsable);
  const count = new Float64Array(nUsable);
  const errors = new Float64Array(nUsable);
  const unanswerable = new Float64Array(nUsable);
  const lucky = new Float64Array(nUsable);
  let size = 0;
  let i = nRight - 1;
  let j = nWrong - 1;
  let k = c.length - 1;
  let l = d.length - 1;
  while (i >= 0 || j >= 0 || k >= 0 || l >= 0) {
    const top = Math.max(i < 0 ? -1 : a[i]!, j < 0 ? -1 : b[j]!, k < 0 ? -1 : c[k]!, l < 0 ? -1 : d[l]!);
    const i0 = i;
    const j0 = j;
    const k0 = k;
    const l0 = l;
    while (i >= 0 && a[i] === top) i--;
    while (j >= 0 && b[j] === top) j--;
    while (k >= 0 && c[k] === top) k--;
    while (l >= 0 && d[l] === top) l--;
    values[size] = top;
    unanswerable[size] = k0 - k;
    errors[size] = j0 - j + (k0 - k);
    lucky[size] = l0 - l;
    count[size] = i0 - i + lucky[size]! + errors[size]!;
    size++;
  }
  return {
    size,
    confidence: values.subarray(0, size),
    count: count.subarray(0, size),
    errors: errors.subarray(0, size),
    unanswerable: unanswerable.subarray(0, size),
    lucky: lucky.subarray(0, size),
    n: nUsable,
    nErrors: nWrong + c.length,
    nUnanswerable: c.length,
    nLucky: d.length,
  };
}

/** The slot of each row: four times its block plus its kind; -1 for a row that is not usable. */
export function assignSlots(columns: Columns, blocks: ConfidenceBlocks): Int32Array {
  const slots = new Int32Array(columns.n);
  for (let i = 0; i < columns.n; i++) {
    const kind = classifyAnswer(columns, i);
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
  const lucky = plain.nLucky === 0 ? plain.lucky : new Float64Array(size);
  let n = 0;
  let nErrors = 0;
  let nUnanswerable = 0;
  let nLucky = 0;
  for (let i = 0; i < slots.length; i++) {
    const slot = slots[i]!;
    if (slot < 0) continue;
    const weight = weights[i]!;
    const block = slot >> 2;
    count[block]! += weight;
    n += weight;
    if ((slot & 3) === LUCKY) {
      lucky[block]! += weight;
      nLucky += weight;
    }
    if ((slot & WRONG) === 0) continue;
    errors[block]! += weight;
    nErrors += weight;
    if ((slot & 3) !== NO_ANSWER_EXISTS) continue;
    unanswerable[block]! += weight;
    nUnanswerable += weight;
  }
  return { size, confidence, count, errors, unanswerable, lucky, n, nErrors, nUnanswerable, nLucky };
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

/** The blocks in which an answer on a row that should be deferred is a failure, right or wrong; the same object where there is none. */
export function strictly(blocks: ConfidenceBlocks): ConfidenceBlocks {
  const { lucky, nLucky } = blocks;
  if (nLucky === 0) return blocks;
  return {
    ...blocks,
    errors: blocks.errors.map((rows, b) => rows + lucky[b]!),
    lucky: new Float64Array(blocks.size),
    nErrors: blocks.nErrors + nLucky,
    nLucky: 0,
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
