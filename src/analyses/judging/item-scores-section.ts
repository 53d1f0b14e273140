import type { Score } from '../../core/score.ts';
import {
  details,
  heading,
  numbers,
  paragraph,
  section,
  table,
  texts,
} from '../../reports/document/blocks.ts';
import type { Block, Section } from '../../reports/document/document.ts';
import { boundedText, inWords, joined, number, range, scoreText } from '../../reports/words.ts';
import { scoreCells } from '../../runs/sections/traits.ts';
import type { ItemScoreGroup, ItemScores } from './item-scores/item-scores.ts';
import type { JudgedResult } from './judged-result.ts';

/** Two ways of clipping that differ by less are shown as one. */
const SAME_CLIPPING = 0.005;
const BY_QUESTION = 'weighted_score.by_question';

const GROUP_TITLES: Readonly<Record<ItemScoreGroup['by'], string>> = {
  axis: 'axis',
  item_tag: 'tag of items',
  question_tag: 'tag of questions',
};

/** Scores by what items weigh: points, critical items, harm; null where the rubric says nothing of that. */
export function itemScores({ judging: { itemScores: found } }: JudgedResult): Section | null {
  const scores = shownItemScores(found);
  if (scores.length === 0) return null;
  return section({ id: 'item-scores', title: 'What the items weigh' }, [
    table(
      'Scores over items',
      ['score', ...numbers('value', 'interval', 'questions'), ...texts('what it is')],
      scores.map((score) => [score.label, ...scoreCells(score), writeNote(score)]),
      { layout: 'wide' },
    ),
    ...clippingBlocks(found),
    ...harmBlocks(found),
    ...groupBlocks(found, scores),
  ]);
}

/** The scores that a report prints: the second way of clipping only where it makes a difference. */
export function shownItemScores({ scores }: ItemScores): readonly Score[] {
  const scoreValue = (name: string) => scores.find((score) => score.name === name)?.value ?? null;
  const [overall, byQuestion] = [scoreValue('weighted_score'), scoreValue(BY_QUESTION)];
  const isSame = overall === null || byQuestion === null || Math.abs(overall - byQuestion) <= SAME_CLIPPING;
  return scores.filter(({ name }) => name !== BY_QUESTION || !isSame);
}

function writeNote({ reads, value, interval, intervalReason, details: more }: Score): string {
  const open = Number(more.n_questions_open ?? 0);
  return joined([
    reads,
    value !== null && interval === null && `no interval: ${inWords(intervalReason)}`,
    open > 0 && `${open} more cannot be decided: items are open`,
  ])!;
}

function clippingBlocks({ scores }: ItemScores): Block[] {
  const found = scores.find(({ name }) => name === 'weighted_score');
  if (found === undefined || found.value === null) return [];
  const { unclipped, unclipped_interval: interval } = found.details as {
    readonly unclipped: number;
    readonly unclipped_interval: { readonly lower: number; readonly upper: number } | null;
  };
  const isClipped = found.value !== unclipped || found.interval === null;
  const before = isClipped
    ? ` Before clipping the mean is ${number(unclipped)}${interval === null ? '' : ` (${range(interval)})`}.`
    : '';
  return [
    paragraph(
      `The weighted score is clipped overall: the mean of the scores of questions, then clipped to 0 to 1. A question can be below 0.${before}`,
      { tone: 'small' },
    ),
  ];
}

function harmBlocks({ harmWeights }: ItemScores): Block[] {
  if (harmWeights.length === 0) return [];
  const weights = harmWeights.map(
    ({ harm, nItems }) => `${harm} (${nItems} ${nItems === 1 ? 'item' : 'items'})`,
  );
  return [
    paragraph(
      `Weights of harm: ${weights.join(', ')}. They are opinions of the authors of the rubric; the lines with all weights 1 do without them. Omission and commission are not to be added.`,
      { tone: 'small' },
    ),
  ];
}

function groupBlocks({ groups }: ItemScores, shown: readonly Score[]): Block[] {
  const names = new Set(shown.map(({ name }) => name));
  const kinds = [...new Set(groups.map(({ by }) => by))];
  return kinds.flatMap((kind): Block[] => {
    const own = groups.filter(({ by }) => by === kind);
    const [first] = own;
    // Other readings of a score would double the columns; the JSON report has them.
    const columns = first!.scores.filter(({ name }) => names.has(name) && !name.includes('.'));
    const all = [
      table(
        `By ${GROUP_TITLES[kind]}`,
        [GROUP_TITLES[kind], ...numbers('questions', ...columns.map(({ label }) => label))],
        own.map(({ name, nQuestions, scores }) => [
          name,
          String(nQuestions),
          ...columns.map((column) => groupCell(scores.find((score) => score.name === column.name)!)),
        ]),
        { layout: 'wide', most: { text: 40 } },
      ),
      paragraph('Groups overlap and do not add up; with many of them, some look different by chance.', {
        tone: 'small',
      }),
    ];
    // Items can carry any number of tags: a long table is folded.
    return kind === 'item_tag' && own.length > 12
      ? [details(`By ${GROUP_TITLES[kind]}`, all)]
      : [heading(`By ${GROUP_TITLES[kind]}`), ...all];
  });
}

/** A group has few questions: the n of a score is beside it where it is not that of the group. */
function groupCell(score: Score): string {
  return score.value === null ? boundedText(score) : `${scoreText(score)}, n ${score.nEvaluated}`;
}
