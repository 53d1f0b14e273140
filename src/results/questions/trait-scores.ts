import { type Ledger, nScored, type Score } from '../../core/index.ts';
import type { Rubric } from '../../rubrics/index.ts';
import { ABSTENTION_METRICS } from './abstention-scores.ts';
import type { Judging } from './judging.ts';
import { type MetricTraitSummary, traitKey } from './summarise-traits.ts';
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
    ...otherTraits.flatMap(({ name, score, nAnswers: n, nScored }) => {
      const scoredOf = { n, nScored, unscored: 'answers have no value' };
      return score === null ? [] : [{ ...score, name: safeName(name), label: name, scoredOf }];
    }),
    ...abstention.map((score) => ({ ...score, scoredOf: ofRows })),
  ];
}

function ofMetricTrait({ metrics, nItems, nScored }: MetricTraitSummary, name: string): Score[] {
  const scoredOf = { n: nItems, nScored, unscored: 'items are unscored' };
  return Object.entries(metrics).flatMap(([metric, { pooled, mean }]) => {
    const [key, label] = [`${safeName(name)}.${metric}`, `${name}: ${metric}`];
    return [
      { ...pooled, name: key, label, scoredOf },
      { ...mean, name: `${key}.mean`, label: `${label}, mean of questions`, scoredOf },
    ];
  });
}

/** A trait's name as conditions can hold it. */
export function safeName(name: string): string {
  return name.replace(/[^\p{L}\p{N}_.-]/gu, '_');
}

/** The names of the scores that answers will have, before they are judged by these rubrics. */
export function traitScoreNames(rubrics: readonly Rubric[]): string[] {
  const traits = rubrics.flatMap((rubric) => rubric.metricTraits);
  const groups = [...Map.groupBy(traits, traitKey).values()];
  const names = summaryNames(groups.map(([trait]) => trait!)).map(safeName);
  const metricTraits = new Set(traits.map(({ name }) => name));
  const all = new Set(rubrics.flatMap((rubric) => rubric.traitNames()));
  return [
    ...groups.flatMap((traits, i) =>
      [...new Set(traits.flatMap(({ metrics }) => metrics))].flatMap((metric) => [
        `${names[i]}.${metric}`,
        `${names[i]}.${metric}.mean`,
      ]),
    ),
    ...[...all].filter((name) => !metricTraits.has(name)).map(safeName),
    ...ABSTENTION_METRICS.map(({ name }) => name),
  ];
}
