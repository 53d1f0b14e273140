import { argumentError } from '../core/errors.ts';
import { type Label, type LabelKey, labelKey } from '../core/label.ts';
import { assertSameLength } from './samples.ts';

/**
 * Fleiss' kappa: agreement of r raters (or runs) beyond chance. `counts[i][j]` is how many raters put record i in category j.
 * P_i = (sum_j n_ij^2 - r) / (r (r - 1)), p_j = share of category j overall, kappa = (mean P_i - sum p_j^2) / (1 - sum p_j^2).
 *
 * Null with no records, fewer than two raters, records with different numbers of raters, or one category used overall
 * (0/0). Source: Fleiss 1971.
 *
 * @example
 * ```ts
 * fleissKappa([[0, 3], [1, 2], [3, 0]]) // => 0.55
 * fleissKappa([[3, 0], [3, 0]]) // => null
 * ```
 */
export function fleissKappa(counts: readonly (readonly number[])[]): number | null {
  const raters = counts.length === 0 ? 0 : total(counts[0]!);
  if (raters < 2 || counts.some((row) => total(row) !== raters)) return null;
  const byCategory: number[] = [];
  let agreement = 0;
  for (const row of counts) {
    let squares = 0;
    row.forEach((count, category) => {
      squares += count * count;
      byCategory[category] = (byCategory[category] ?? 0) + count;
    });
    agreement += (squares - raters) / (raters * (raters - 1));
  }
  const ratings = counts.length * raters;
  if (byCategory.some((count) => count === ratings)) return null;
  const chance = byCategory.reduce((sum, count) => sum + (count / ratings) ** 2, 0);
  return (agreement / counts.length - chance) / (1 - chance);
}

/**
 * Cohen's kappa of two raters' labels, one per record: (p_o - p_e) / (1 - p_e), p_o the share of equal labels, p_e the
 * share expected from the two margins. Labels are compared with `labelKey`.
 *
 * Null with no records, or when both raters used one and the same label throughout (0/0). Source: Cohen 1960.
 *
 * @example
 * ```ts
 * cohenKappa(['a', 'a', 'b', 'b'], ['a', 'b', 'b', 'b']) // => 0.5
 * cohenKappa(['a', 'a'], ['a', 'a']) // => null
 * cohenKappa([], []) // => null
 * ```
 */
export function cohenKappa(a: readonly Label[], b: readonly Label[]): number | null {
  assertSameLength({ a, b });
  const position = new Map<LabelKey, number>();
  for (const label of [...a, ...b]) {
    const key = labelKey(label);
    if (!position.has(key)) position.set(key, position.size);
  }
  const confusion = Array.from(position, () => new Array<number>(position.size).fill(0));
  a.forEach((label, i) => {
    confusion[position.get(labelKey(label))!]![position.get(labelKey(b[i]!))!]! += 1;
  });
  return kappa(confusion, (i, j) => (i === j ? 0 : 1));
}

/**
 * Weighted kappa of a square table (rows: one rater, columns: the other, categories in order):
 * 1 - sum w O / sum w E, with w = |i - j| (linear) or (i - j)^2 (quadratic) and E = row total * column total / n.
 *
 * Null when sum w E is 0: no records, or all of them in one cell of the diagonal. Source: Cohen 1968.
 *
 * @example
 * ```ts
 * weightedKappa([[2, 1, 0], [0, 2, 0], [0, 1, 2]], 'quadratic') // => 0.8
 * weightedKappa([[0, 4], [0, 0]], 'linear') // => 0
 * weightedKappa([[4, 0], [0, 0]], 'linear') // => null
 * ```
 */
export function weightedKappa(
  confusion: readonly (readonly number[])[],
  weight: 'linear' | 'quadratic',
): number | null {
  return kappa(confusion, weight === 'linear' ? (i, j) => Math.abs(i - j) : (i, j) => (i - j) ** 2);
}

/** 1 - observed / expected disagreement, the form that all kappas of two raters share. */
function kappa(
  confusion: readonly (readonly number[])[],
  disagreement: (i: number, j: number) => number,
): number | null {
  const size = confusion.length;
  if (confusion.some((row) => row.length !== size))
    throw argumentError('kappa needs a square table of counts', confusion);
  const rows = confusion.map(total);
  const columns = confusion.map((_, j) => total(confusion.map((row) => row[j]!)));
  const n = total(rows);
  let observed = 0;
  let expected = 0;
  for (let i = 0; i < size; i++) {
    for (let j = 0; j < size; j++) {
      observed += disagreement(i, j) * confusion[i]![j]!;
      // Times n, so that whole counts stay whole numbers and a table without chance agreement gives exactly 0.
      expected += disagreement(i, j) * rows[i]! * columns[j]!;
    }
  }
  return expected === 0 ? null : 1 - (observed * n) / expected;
}

function total(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}

/**
 * How far repeated runs on the same records agree; abstaining is a decision of its own. Records with fewer than two runs are left out;
 * null when none remains. Sources: Atil 2024, Fleiss 1971.
 *
 * @example
 * ```ts
 * runConsistency([['1', '1'], ['1', 'abstain']])!.total_agreement_rate // => 0.5
 * ```
 */
export function runConsistency(decisionsByRecord: readonly (readonly string[])[]) {
  const records = decisionsByRecord.filter((decisions) => decisions.length > 1).map(tally);
  if (records.length === 0) return null;
  const mean = (of: (record: ReturnType<typeof tally>) => number) =>
    records.reduce((sum, record) => sum + of(record), 0) / records.length;
  const sameRuns = records.every(({ runs }) => runs === records[0]!.runs);
  const categories = [...new Set(records.flatMap(({ counts }) => [...counts.keys()]))];
  return {
    /** Share of records on which all runs made the same decision (TARa@R). */
    total_agreement_rate: mean(({ counts }) => Number(counts.size === 1)),
    /** Mean share of the most frequent decision. */
    mean_modal_agreement: mean(({ counts, runs }) => Math.max(...counts.values()) / runs),
    /** Mean share of pairs of runs that agree. */
    pairwise_agreement: mean(({ counts, runs }) => {
      const pairs = [...counts.values()].reduce((sum, k) => sum + k * (k - 1), 0);
      return pairs / (runs * (runs - 1));
    }),
    /** Null when only one decision occurs, or when records have different numbers of runs. */
    fleiss_kappa: sameRuns
      ? fleissKappa(records.map(({ counts }) => categories.map((category) => counts.get(category) ?? 0)))
      : null,
  };
}

function tally(decisions: readonly string[]) {
  const counts = new Map<string, number>();
  for (const decision of decisions) counts.set(decision, (counts.get(decision) ?? 0) + 1);
  return { runs: decisions.length, counts };
}
