import { metricOfCounts, type TraitMetric } from '../../rubrics/index.ts';
import { mean } from '../../statistics/index.ts';
import type { JudgedAnswer } from './judged-answers.ts';
import type { Judging } from './judging.ts';
import { answersWithTrait, type MetricTraitSummary } from './summarise-metric-traits.ts';
import { summaryNames } from './summary-names.ts';

/** A score that two runs can be compared by, and how to get its value for each question. */
export interface ComparableScore {
  readonly name: string;
  readonly label: string;
  readonly trait: string | null;
  readonly better: 'higher' | 'lower' | null;
  /** Whether it lies between 0 and 1, so that a difference is in percentage points. */
  readonly isShare: boolean;
  /** Values by question; questions without one are not there. `other` is the run it is compared with. */
  values(report: Judging, other: Judging): ReadonlyMap<string, number>;
}

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
    answerScore(
      { name: 'abstention_rate', label: 'Abstention Rate', trait: null, better: null, isShare: true },
      (answer) => {
        const deferred = hasDeferred(answer);
        return deferred === null ? null : Number(deferred);
      },
    ),
    answerScore(
      {
        name: 'deferral_alignment',
        label: 'Deferral Alignment',
        trait: null,
        better: 'higher',
        isShare: true,
      },
      (answer) => {
        const deferred = hasDeferred(answer);
        if (deferred === null || answer.shouldAbstain === null) return null;
        return Number(deferred === answer.shouldAbstain);
      },
    ),
  ];
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
    values: (report, other) => {
      const theirs = scoredItems(other, summary);
      const groups = Map.groupBy(answersWithTrait(report.answers, summary), ({ answer }) => answer.id);
      const values = new Map<string, number>();
      for (const [id, group] of groups) {
        if (!group[0]!.result.trait.metrics.includes(metric)) continue;
        const counts = { tp: 0, fn: 0, fp: 0, tn: 0 };
        for (const item of group.flatMap(({ result }) => result.items)) {
          if (item.counts === null || !theirs.has(`${id} ${item.id}`)) continue;
          for (const bucket of ['tp', 'fn', 'fp', 'tn'] as const) counts[bucket] += item.counts[bucket];
        }
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
  about: Omit<ComparableScore, 'values'>,
  read: (answer: JudgedAnswer) => number | null,
): ComparableScore {
  return {
    ...about,
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
