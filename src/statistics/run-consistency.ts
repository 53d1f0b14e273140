import { fleissKappa } from './kappa.ts';

/** How far repeated runs on the same records agree. */
export interface Consistency {
  /** Share of records on which all runs made the same decision (TARa@R). */
  readonly total_agreement_rate: number;
  /** Mean share of the most frequent decision. */
  readonly mean_modal_agreement: number;
  /** Mean share of pairs of runs that agree. */
  readonly pairwise_agreement: number;
  /** Null when only one decision occurs, or when records have different numbers of runs. */
  readonly fleiss_kappa: number | null;
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
export function runConsistency(decisionsByRecord: readonly (readonly string[])[]): Consistency | null {
  const records = decisionsByRecord.filter((decisions) => decisions.length > 1).map(tally);
  if (records.length === 0) return null;
  const mean = (of: (record: Tally) => number) =>
    records.reduce((sum, record) => sum + of(record), 0) / records.length;
  const sameRuns = records.every(({ runs }) => runs === records[0]!.runs);
  const categories = [...new Set(records.flatMap(({ counts }) => [...counts.keys()]))];
  return {
    total_agreement_rate: mean(({ counts }) => Number(counts.size === 1)),
    mean_modal_agreement: mean(({ counts, runs }) => Math.max(...counts.values()) / runs),
    pairwise_agreement: mean(({ counts, runs }) => {
      const pairs = [...counts.values()].reduce((sum, k) => sum + k * (k - 1), 0);
      return pairs / (runs * (runs - 1));
    }),
    fleiss_kappa: sameRuns
      ? fleissKappa(records.map(({ counts }) => categories.map((category) => counts.get(category) ?? 0)))
      : null,
  };
}

type Tally = ReturnType<typeof tally>;

function tally(decisions: readonly string[]) {
  const counts = new Map<string, number>();
  for (const decision of decisions) counts.set(decision, (counts.get(decision) ?? 0) + 1);
  return { runs: decisions.length, counts };
}
