import { isSettled } from '../../../rubrics/weighted/item-shares.ts';
import { mean } from '../../../statistics/samples.ts';
import type { ComparableScore } from '../comparable-score.ts';
import type { JudgedAnswer } from '../judged-answers.ts';
import type { Judging } from '../judging.ts';
import { measuredItem } from './measure-score.ts';
import { type ItemMeasure, MEASURES } from './measures.ts';

/** The scores over items by which two runs are compared, question by question. Variants of one score are not tested twice. */
export function comparedMeasures({ itemScores }: Judging): ComparableScore[] {
  const own = new Set(itemScores.scores.map(({ name }) => name));
  return MEASURES.filter(({ name, isVariant }) => own.has(name) && !isVariant).map(comparedMeasure);
}

/** Items that only one run has settled say nothing about a difference. Scores of single questions are not clipped. */
function comparedMeasure(measure: ItemMeasure): ComparableScore {
  const { name, label, better, isBinary, over } = measure;
  return {
    name,
    label: over === 'clipped_mean' ? `${label}, not clipped` : label,
    trait: null,
    better,
    isShare: over !== 'clipped_mean',
    isBinary,
    values: (report, other) => {
      const theirs = settledItems(other);
      const values = new Map<string, number>();
      for (const [id, answers] of Map.groupBy(report.answers, (answer) => answer.id)) {
        const found = mean(answers.flatMap((answer) => answerValues(measure, answer, theirs)));
        if (found !== null) values.set(id, isBinary ? (1 + Math.sign(found - 0.5)) / 2 : found);
      }
      return values;
    },
  };
}

function answerValues(measure: ItemMeasure, answer: JudgedAnswer, shared: ReadonlySet<string>): number[] {
  const items = itemsOfAnswer(answer)
    .filter(({ id }) => shared.has(`${answer.id} ${id}`))
    .map(measuredItem)
    .filter(isSettled);
  const { settled } = measure.shares(items);
  return settled === null ? [] : [settled.part / settled.whole];
}

function settledItems({ answers }: Judging): Set<string> {
  return new Set(
    answers.flatMap((answer) =>
      itemsOfAnswer(answer)
        .filter((item) => isSettled(measuredItem(item)))
        .map(({ id }) => `${answer.id} ${id}`),
    ),
  );
}

function itemsOfAnswer({ metricTraits }: JudgedAnswer) {
  return metricTraits.flatMap(({ items }) => items);
}
