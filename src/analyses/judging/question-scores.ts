import { abstentionRate } from '../../metrics/correctness/correctness-metrics.ts';
import { deferralAlignment } from '../../metrics/deferral/deferral-metrics.ts';
import type { Metric } from '../../metrics/metric.ts';
import { pooledCounts } from '../../rubrics/aggregate/aggregate-trait.ts';
import { metricOfCounts } from '../../rubrics/confusion-metrics.ts';
import type { TraitMetric } from '../../rubrics/traits/trait.ts';
import { mean } from '../../statistics/samples.ts';
import type { ComparableScore } from './comparable-score.ts';
import { comparedMeasures } from './item-scores/compared-measures.ts';
import type { JudgedAnswer } from './judged-answers.ts';
import type { Judging } from './judging.ts';
import { answersWithTrait, type MetricTraitSummary } from './summarise-traits.ts';
import { summaryNames } from './summary-names.ts';

/** Everything the baseline has a score for; a run that was judged by other traits has no values for some of it. */
export function comparableScores(baseline: Judging): ComparableScore[] {
  const names = summaryNames(baseline.metricTraits);
  return [
    ...baseline.metricTraits.flatMap((summary, i) =>
      (Object.keys(summary.metrics) as TraitMetric[]).map((metric) =>
        metricScore(summary, names[i]!, metric),
      ),
    ),
    ...baseline.otherTraits.flatMap(({ name, source, kind, higherIsBetter }) => {
      if (kind !== 'boolean' && kind !== 'score') return [];
      const about = {
        name,
        label: `${name} (${kind === 'boolean' ? 'share true' : 'mean'})`,
        trait: name,
        better: higherIsBetter ? 'higher' : 'lower',
        isShare: kind === 'boolean',
      } as const;
      return answerScore(about, ({ otherTraits }) => {
        const found = otherTraits.find((result) => result.source === source && result.trait.name === name);
        return found?.outcome.kind === kind ? Number(found.outcome.value) : null;
      });
    }),
    ...comparedMeasures(baseline),
    metricScoreOfAnswers(abstentionRate(), hasDeferred),
    metricScoreOfAnswers(deferralAlignment(), (answer) => {
      const deferred = hasDeferred(answer);
      return deferred === null || answer.shouldAbstain === null ? null : deferred === answer.shouldAbstain;
    }),
  ];
}

/** A share of answers under the name of the metric on labels. */
function metricScoreOfAnswers(
  { name, label = name, better = null }: Metric,
  holds: (answer: JudgedAnswer) => boolean | null,
): ComparableScore {
  return answerScore({ name, label, trait: null, better, isShare: true }, (answer) => {
    const held = holds(answer);
    return held === null ? null : Number(held);
  });
}

/** A refusal is not an abstention. */
function hasDeferred({ state, abstained }: JudgedAnswer): boolean | null {
  return state === 'refused' ? false : abstained;
}

/** Items that only one run has scored say nothing about a difference: each question is counted by the items that both have. */
function metricScore(summary: MetricTraitSummary, name: string, metric: TraitMetric): ComparableScore {
  return {
    name: `${name}.${metric}`,
    label: `${name}: ${metric}`,
    trait: summary.name,
    better: 'higher',
    isShare: true,
    isBinary: false,
    values: (report, other) => {
      const theirs = scoredItems(other, summary);
      const groups = Map.groupBy(answersWithTrait(report.answers, summary), ({ answer }) => answer.id);
      const values = new Map<string, number>();
      for (const [id, group] of groups) {
        if (!group[0]!.result.trait.metrics.includes(metric)) continue;
        const items = group.flatMap(({ result }) => result.items);
        const shared = items.filter((item) => theirs.has(`${id} ${item.id}`));
        const { counts } = pooledCounts(shared.flatMap(({ counts }) => (counts ? [{ counts }] : [])));
        const value = metricOfCounts(metric, counts);
        if (value !== null) values.set(id, value);
      }
      return values;
    },
  };
}

function scoredItems({ answers }: Judging, summary: MetricTraitSummary): Set<string> {
  return new Set(
    answersWithTrait(answers, summary).flatMap(({ answer, result }) =>
      result.items.flatMap(({ id, counts }) => (counts === null ? [] : [`${answer.id} ${id}`])),
    ),
  );
}

/** A score of single answers; the value of a question is the mean over its answers. */
function answerScore(
  about: Omit<ComparableScore, 'values' | 'isBinary'>,
  read: (answer: JudgedAnswer) => number | null,
): ComparableScore {
  return {
    ...about,
    isBinary: about.isShare,
    values: ({ answers }) => {
      const groups = [...Map.groupBy(answers, ({ id }) => id)];
      return new Map(
        groups.flatMap(([id, group]) => {
          const value = mean(group.flatMap((answer) => read(answer) ?? []));
          return value === null ? [] : [[id, value]];
        }),
      );
    },
  };
}
