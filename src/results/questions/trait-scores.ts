import { type Ledger, nScored, type Score } from '../../core/index.ts';
import type { Judging } from './judging.ts';
import type { MetricTraitSummary } from './summarise-metric-traits.ts';
import { summaryNames } from './summary-names.ts';

/**
 * The scores of judged answers, by the names that conditions use: `TRAIT.METRIC` for the pooled value, `TRAIT.METRIC.mean` for the mean of questions, `TRAIT` for a trait of another
 * kind, and the abstention metrics. A character of a trait's name other than a letter, a digit, `_` or `-` is written `_`.
 */
export function traitScores(
  { metricTraits, otherTraits, abstention }: Pick<Judging, 'metricTraits' | 'otherTraits' | 'abstention'>,
  ledger: Ledger,
): Score[] {
  const names = summaryNames(metricTraits);
  const ofRows = {
    n: ledger.n,
    nScored: nScored(ledger),
    unscored: 'rows failed, never ran or could not be judged',
  };
  return [
    ...metricTraits.flatMap((summary, i) => ofMetricTrait(summary, names[i]!)),
    ...otherTraits.flatMap(({ name, score, nAnswers: n, nScored }): Score[] =>
      score === null
        ? []
        : [
            {
              ...score,
              name: safe(name),
              label: name,
              scoredOf: { n, nScored, unscored: 'answers have no value' },
            },
          ],
    ),
    ...abstention.map((score) => ({ ...score, scoredOf: ofRows })),
  ];
}

function ofMetricTrait({ metrics, nItems, nScored }: MetricTraitSummary, name: string): Score[] {
  const scoredOf = { n: nItems, nScored, unscored: 'items are unscored' };
  return Object.entries(metrics).flatMap(([metric, { pooled, mean }]) => [
    { ...pooled, name: `${safe(name)}.${metric}`, label: `${name}: ${metric}`, scoredOf },
    {
      ...mean,
      name: `${safe(name)}.${metric}.mean`,
      label: `${name}: ${metric}, mean of questions`,
      scoredOf,
    },
  ]);
}

function safe(name: string): string {
  return name.replace(/[^\p{L}\p{N}_.-]/gu, '_');
}
