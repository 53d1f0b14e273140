import { tableMetric } from '../built-in.ts';
import { gradedOutcomesOf } from '../outcomes.ts';

/**
 * Mean payoff when a right answer earns 1, an abstention 0 and a wrong or invalid answer costs c.
 *
 * With cost c, answering pays only above P(right) = c / (1 + c). No rows: null. Source: Whitehead 2022.
 *
 * @example
 * ```ts
 * effectiveReliability({ cost: 10 }).compute([
 *   evaluationResult({ prediction: 1, groundTruth: 1 }),
 *   evaluationResult({ prediction: 0, groundTruth: 1 }),
 *   evaluationResult({ groundTruth: 1, abstained: true }),
 * ]).value // => -3
 * ```
 */
export function effectiveReliability({ cost = 1 }: { cost?: number } = {}) {
  return tableMetric(gradedOutcomesOf, {
    name: `effective_reliability_${cost}`,
    label: `Effective Reliability (cost ${cost})`,
    family: 'utility',
    reads: `right +1, abstain 0, wrong -${cost}`,
    better: 'higher',
    restsOn: 'counts',
    estimate: ({ n, correct, wrong, invalid }) => (correct - cost * (wrong + invalid)) / n,
    details: () => ({ cost, break_even_probability: cost / (1 + cost) }),
  });
}
