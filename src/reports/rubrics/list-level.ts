import pc from 'picocolors';
import type { ListLevelTrait } from '../../results/index.ts';
import { borderlessTable, right } from '../borderless-table.ts';
import { plain } from '../plain-text.ts';
import { scoreObject } from './score-object.ts';
import { TRAIT_TITLES, traitLines } from './trait-cells.ts';

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

/** What a table of these numbers is headed by. */
export function listLevelTitle({ trait, judge, aggregate, nFailed }: ListLevelTrait): string {
  const questions = aggregate.nQuestions === 1 ? '1 question' : `${aggregate.nQuestions} questions`;
  const failed = nFailed === 0 ? '' : `, ${nFailed} without usable lists`;
  return `${trait}, as ${judge} has it by its own lists: ${questions}${failed} (excerpts are counted, not instructions)`;
}

/** The same as a table, to stand below the tables of verdicts. */
export function listLevelText(traits: readonly ListLevelTrait[]): string[] {
  return traits.flatMap((trait) => [
    pc.bold(plain(listLevelTitle(trait))),
    borderlessTable(
      '',
      [...TRAIT_TITLES.map(right), ''],
      traitLines(trait.aggregate).map(({ metric, cells, note }) => [
        `  ${metric}`,
        ...cells.map(right),
        note === '' ? '' : pc.dim(note),
      ]),
    ),
    '',
  ]);
}
