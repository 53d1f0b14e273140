import type { Comparison } from '../results/index.ts';

/** How models were compared, in a few sentences for a paper. */
export function compareMethodText({ method }: Comparison): string {
  const level = Math.round(method.level * 1000) / 10;
  return [
    'Differences are model minus baseline, on the same records.',
    `Intervals: ${level} % percentile bootstrap over records with shared draws (${method.resamples} resamples, seed ${method.seed}, ${method.generator}).`,
    'Tests: exact McNemar for scores of 0 or 1, sign-flip permutation for the others, Holm over the models within each endpoint; what is no mean over records has an interval only, which is not adjusted.',
    `Detectable differences: power ${Math.round(method.power * 100)} % at the observed disagreement.`,
  ].join(' ');
}
