import { type Ledger, nScored } from '../../core/ledger.ts';
import type { Score } from '../../core/score.ts';
import type { Rubric } from '../../rubrics/rubric.ts';
import { TRAIT_KINDS } from '../../rubrics/traits/kinds.ts';
import { ABSTENTION_METRICS } from './abstention-scores.ts';
import { groupPlaces, type ItemScoreGroup, itemScoreNames } from './item-scores/item-scores.ts';
import type { Judging } from './judging.ts';
import { type MetricTraitSummary, traitKey } from './summarise-traits.ts';
import { summaryNames } from './summary-names.ts';

/** Kinds of traits with a value that a judge decides. */
const JUDGED_KINDS: ReadonlySet<string> = new Set(
  TRAIT_KINDS.flatMap((kind) => (kind.scoredBy === 'value' && kind.needs === 'judge' ? [kind.id] : [])),
);
const JUDGED = { judged: 'raw' } as const;

/**
 * The scores of judged answers, by the names that conditions use: `TRAIT.METRIC` for the pooled value, `TRAIT.METRIC.mean` for the mean of questions, `TRAIT` for a trait of another
 * kind, `weighted_score` and the other scores over items, these by group as `SCORE.axis.NAME`, `SCORE.item_tag.NAME` and `SCORE.question_tag.NAME`, and the abstention metrics. A character of a trait's name other than a letter, a digit, `_` or `-` is written `_`.
 */
export function traitScores(
  {
    metricTraits,
    otherTraits,
    itemScores,
    abstention,
  }: Pick<Judging, 'metricTraits' | 'otherTraits' | 'itemScores' | 'abstention'>,
  ledger: Ledger,
): Score[] {
  const names = summaryNames(metricTraits);
  const ofRows = {
    n: ledger.n,
    nScored: nScored(ledger),
    unscored: 'cases failed, never ran or could not be judged',
  };
  return [
    ...metricTraits.flatMap((summary, i) => ofMetricTrait(summary, names[i]!)),
    ...otherTraits.flatMap(({ name, source, score, nAnswers: n, nScored }) => {
      const scoredOf = { n, nScored, unscored: 'answers have no value' };
      if (score === null) return [];
      const own = { ...score, name: safeName(name), label: name, scoredOf };
      return [JUDGED_KINDS.has(source) ? { ...own, ...JUDGED } : own];
    }),
    ...itemScores.scores.map((score) => ({ ...score, ...JUDGED })),
    ...itemScores.groups.flatMap((group) =>
      group.scores.map((score) => ({
        ...score,
        ...JUDGED,
        name: groupScoreName(score.name, group),
        label: `${score.label}, ${group.by.replace('_', ' ')} ${group.name}`,
      })),
    ),
    ...abstention.map((score) => ({ ...score, scoredOf: ofRows, ...JUDGED })),
  ];
}

function groupScoreName(score: string, { by, name }: Pick<ItemScoreGroup, 'by' | 'name'>): string {
  return `${score}.${by}.${safeName(name)}`;
}

function ofMetricTrait(summary: MetricTraitSummary, name: string): Score[] {
  const { metrics, nItems, nScored, contradictionRate } = summary;
  const scoredOf = { n: nItems, nScored, unscored: 'items are unscored' };
  const scores = Object.entries(metrics).flatMap(([metric, { pooled, mean }]) => {
    const [key, label] = [`${safeName(name)}.${metric}`, `${name}: ${metric}`];
    return [
      { ...pooled, name: key, label, scoredOf, ...JUDGED },
      { ...mean, name: `${key}.mean`, label: `${label}, mean of questions`, scoredOf, ...JUDGED },
    ];
  });
  if (contradictionRate === null) return scores;
  const own = {
    name: `${safeName(name)}.contradiction_rate`,
    label: `${name}: contradiction rate`,
    ...JUDGED,
  };
  return [...scores, { ...contradictionRate, ...own }];
}

/** A trait's name as conditions can hold it. */
export function safeName(name: string): string {
  return name.replace(/[^\p{L}\p{N}_.-]/gu, '_');
}

/** The names of the scores that need no judge, such as those of patterns. */
export function unjudgedScoreNames(rubrics: readonly Rubric[]): string[] {
  const names = rubrics.flatMap(({ traits }) =>
    traits.flatMap(({ scoredBy, kind, trait }) =>
      scoredBy === 'items' || JUDGED_KINDS.has(kind.id) ? [] : [safeName(trait.name)],
    ),
  );
  return [...new Set(names)];
}

/** The names of the scores that answers will have, before they are judged by these rubrics. */
export function traitScoreNames(rubrics: readonly Rubric[], questionTags: readonly string[] = []): string[] {
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
    ...groups.flatMap(([trait], i) =>
      trait!.evaluationMode === 'full_matrix' ? [`${names[i]}.contradiction_rate`] : [],
    ),
    ...itemScoreNames(rubrics).flatMap((name) => [
      name,
      ...groupPlaces(rubrics, questionTags).map((group) => groupScoreName(name, group)),
    ]),
    ...[...all].filter((name) => !metricTraits.has(name)).map(safeName),
    ...ABSTENTION_METRICS.map(({ name }) => name),
  ];
}
