import { argumentError } from '../../core/errors.ts';
import { createRandom, shuffle } from '../random.ts';
import { assertLevel, betaQuantile } from '../special-functions.ts';

/**
 * The exact interval of a share (Clopper and Pearson). Null without trials.
 *
 * @example
 * ```ts
 * clopperPearson(0, 10)![0] // => 0
 * ```
 */
export function clopperPearson(successes: number, n: number, level = 0.95): [number, number] | null {
  assertLevel(level);
  if (n === 0) return null;
  if (!(Number.isInteger(successes) && successes >= 0 && successes <= n))
    throw argumentError(`${successes} successes of ${n}; expected a count between 0 and n`, successes);
  const half = (1 - level) / 2;
  return [
    successes === 0 ? 0 : betaQuantile(half, successes, n - successes + 1),
    successes === n ? 1 : betaQuantile(1 - half, successes + 1, n - successes),
  ];
}

type Cell = string | number | boolean | null | undefined;

/** How near two cells must be. */
export interface MatchOptions {
  /** Greatest difference of numbers, relative to the true one. Default: 0.05. */
  readonly relative?: number;
  /** Least 1 - edits / length of texts. Default: 0.9. */
  readonly similarity?: number;
}

/**
 * Whether a completed cell is the true one: numbers by value, texts without case and extra white space; nearly within 5 %, or with one edit in ten letters.
 *
 * @example
 * ```ts
 * cellMatch('1.020', 1.02) // => { exact: true, near: true }
 * cellMatch('not present', 'Not  presant') // => { exact: false, near: true }
 * cellMatch(48, null) // => { exact: false, near: false }
 * ```
 */
export function cellMatch(
  truth: Cell,
  completed: Cell,
  { relative = 0.05, similarity = 0.9 }: MatchOptions = {},
): { readonly exact: boolean; readonly near: boolean } {
  const [a, b] = [normaliseCell(truth), normaliseCell(completed)];
  if (a === '' || b === '') return { exact: false, near: false };
  const [x, y] = [parseNumber(a), parseNumber(b)];
  if (x !== null && y !== null) {
    const exact = x === y;
    return { exact, near: exact || Math.abs(x - y) <= relative * Math.abs(x) + 1e-12 };
  }
  const exact = a === b;
  return { exact, near: exact || 1 - edits(a, b) / Math.max(a.length, b.length) >= similarity - 1e-12 };
}

function normaliseCell(cell: Cell): string {
  return String(cell ?? '')
    .trim()
    .toLowerCase()
    .replace(/\s+/g, ' ');
}

function parseNumber(text: string): number | null {
  return /^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/.test(text) ? Number(text) : null;
}

/** Levenshtein's distance. */
function edits(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++)
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + Number(a[i - 1] !== b[j - 1])));
    row = next;
  }
  return row[b.length]!;
}

/** All splits are tried up to this many. */
const MAX_SPLITS = 1e5;
const DRAWS = 9_999;

/**
 * The difference of two means, and how often a random split of the values gives one as great. All splits are tried up to 100,000; beyond that 9,999 seeded draws, (1+k)/(1+B). Null where a side is empty.
 *
 * @example
 * ```ts
 * permutationTest([1, 1], [0, 0]) // => { difference: 1, p: 0.16666666666666666, nSplits: 6 }
 * ```
 */
export function permutationTest(
  a: readonly number[],
  b: readonly number[],
  {
    alternative = 'greater',
    seed = 42,
  }: { readonly alternative?: 'greater' | 'two_sided'; readonly seed?: number } = {},
): { readonly difference: number; readonly p: number; readonly nSplits: number } | null {
  if (a.length === 0 || b.length === 0) return null;
  const all = [...a, ...b];
  const total = all.reduce((sum, value) => sum + value, 0);
  const computeDifference = (sum: number) => sum / a.length - (total - sum) / b.length;
  const difference = computeDifference(a.reduce((sum, value) => sum + value, 0));
  const isExtreme = (sum: number) => {
    const found = computeDifference(sum);
    return alternative === 'greater'
      ? found >= difference - 1e-12
      : Math.abs(found) >= Math.abs(difference) - 1e-12;
  };
  const nSplits = splitCount(all.length, a.length);
  let extreme = 0;
  if (nSplits <= MAX_SPLITS) {
    const visit = (from: number, left: number, sum: number): void => {
      if (left === 0) {
        extreme += Number(isExtreme(sum));
        return;
      }
      for (let i = from; i <= all.length - left; i++) visit(i + 1, left - 1, sum + all[i]!);
    };
    visit(0, a.length, 0);
    return { difference, p: extreme / nSplits, nSplits };
  }
  const random = createRandom(seed, 'permutation');
  for (let draw = 0; draw < DRAWS; draw++)
    extreme += Number(
      isExtreme(
        shuffle(random, all)
          .slice(0, a.length)
          .reduce((sum, value) => sum + value, 0),
      ),
    );
  return { difference, p: (1 + extreme) / (1 + DRAWS), nSplits: DRAWS };
}

/** n over k, or infinity once it is beyond the limit. */
function splitCount(n: number, k: number): number {
  let count = 1;
  for (let i = 1; i <= Math.min(k, n - k); i++) {
    count = Math.round((count * (n - i + 1)) / i);
    if (count > MAX_SPLITS * 10) return Infinity;
  }
  return count;
}

/** One record with its masked cells. */
export interface CompletedRecord {
  readonly source: 'public' | 'generated';
  readonly cells: readonly { readonly true: Cell; readonly completed: Cell }[];
}

/**
 * Whether public rows are completed more often than generated rows of the same shape: the mean share of matched cells of each, and a one-sided permutation test over records. Records without cells are left out.
 *
 * @example
 * ```ts
 * const row = (source: 'public' | 'generated', completed: number) => ({ source, cells: [{ true: 1, completed }] });
 * completionProbe([row('public', 1), row('generated', 2)]).exact.difference // => 1
 * ```
 */
export function completionProbe(records: readonly CompletedRecord[], options: MatchOptions = {}) {
  const filled = records.filter(({ cells }) => cells.length > 0);
  const measure = (how: 'exact' | 'near') => {
    const shares = (wanted: CompletedRecord['source']) =>
      filled
        .filter(({ source }) => source === wanted)
        .map(
          ({ cells }) =>
            cells.filter((cell) => cellMatch(cell.true, cell.completed, options)[how]).length / cells.length,
        );
    const [known, made] = [shares('public'), shares('generated')];
    const test = permutationTest(known, made);
    const mean = (values: readonly number[]) =>
      values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
    return {
      public: mean(known),
      generated: mean(made),
      difference: test?.difference ?? null,
      p: test?.p ?? null,
    };
  };
  return { exact: measure('exact'), near: measure('near') };
}
