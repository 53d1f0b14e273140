import pc from 'picocolors';
import type { ListLevelTrait } from '../../rubrics/results/list-level.ts';
import { borderlessTable, right } from '../borderless-table.ts';
import { plain } from '../plain-text.ts';
import { scoreObject } from './score-object.ts';

/** Traits by the judge's own lists, in their file form. */
export function listLevelObject({ trait, judge, aggregate, nFailed }: ListLevelTrait) {
  return {
    trait,
    judge,
    n_questions: aggregate.nQuestions,
    n_failed: nFailed,
    counts: aggregate.counts,
    metrics: Object.fromEntries(
      Object.entries(aggregate.metrics).map(([metric, { pooled, mean }]) => [
        metric,
        { pooled: scoreObject(pooled), mean_of_questions: scoreObject(mean) },
      ]),
    ),
  };
}

/** The same as a table, to stand below the tables of verdicts. */
export function listLevelText(traits: readonly ListLevelTrait[]): string[] {
  return traits.flatMap(({ trait, judge, aggregate, nFailed }) => {
    const rows = Object.entries(aggregate.metrics).map(([metric, { pooled, mean }]) => [
      `  ${metric}`,
      right(pooled.value?.toFixed(3) ?? '-'),
      right(mean.value?.toFixed(3) ?? '-'),
    ]);
    const failed = nFailed === 0 ? '' : `, ${nFailed} without usable lists`;
    return [
      pc.bold(
        plain(
          `${trait}, as ${judge} has it by its own lists: ${aggregate.nQuestions} questions${failed} (excerpts are counted, not instructions)`,
        ),
      ),
      borderlessTable('', [right('pooled'), right('mean of questions')], rows),
      '',
    ];
  });
}
