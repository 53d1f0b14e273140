import { itemsRight } from '../../../src/viewer/browser.ts';
import type { QuestionsPayload } from '../api.ts';

export type AnswerLine = QuestionsPayload['evaluation_results'][number];
export type SaidOfItem = QuestionsPayload['said'][number];

/** A number that answers can be sorted by. */
export interface QuestionScore {
  readonly key: string;
  readonly label: string;
  readonly of: (answer: AnswerLine) => number | null;
}

/** Share of the scored items of an answer that are right: required and present, or forbidden and not claimed. */
export const ITEMS_RIGHT: QuestionScore = {
  key: 'items',
  label: 'items right',
  of: (answer) => {
    const { right, scored } = itemsRight(answer);
    return scored === 0 ? null : right / scored;
  },
};

/** Everything that answers can be sorted by: items, metrics of metric traits, numbers of other traits. */
export function questionScores(answers: readonly AnswerLine[]): QuestionScore[] {
  const found = new Map<string, QuestionScore>();
  const add = (key: string, label: string, of: QuestionScore['of']) => {
    if (!found.has(key)) found.set(key, { key, label, of });
  };
  for (const { rubric } of answers) {
    for (const [trait, scores] of Object.entries(rubric.metric_trait_scores))
      for (const metric of Object.keys(scores))
        add(`${trait}.${metric}`, `${trait}: ${metric}`, (answer) => readMetric(answer, trait, metric));
    for (const [kind, scores] of Object.entries(rubric))
      if (kind.endsWith('_trait_scores') && kind !== 'metric_trait_scores')
        for (const trait of Object.keys(scores as object))
          add(`${kind}.${trait}`, trait, (answer) => readNumber(answer, kind, trait));
  }
  return [ITEMS_RIGHT, ...found.values()];
}

function readMetric({ rubric }: AnswerLine, trait: string, metric: string): number | null {
  const scores: Readonly<Record<string, number | null>> | undefined = rubric.metric_trait_scores[trait];
  return scores?.[metric] ?? null;
}

/** True counts as 1; a class has no number. */
function readNumber({ rubric }: AnswerLine, kind: string, trait: string): number | null {
  const scores = Object.entries(rubric).find(([key]) => key === kind)?.[1];
  const value = (scores as Readonly<Record<string, unknown>> | undefined)?.[trait];
  return typeof value === 'boolean' ? Number(value) : typeof value === 'number' ? value : null;
}

export interface AnswerFilter {
  readonly text: string;
  /** A class of the ledger. */
  readonly outcome: string;
  /** Whether an item must have this verdict; `differ`: whether judges or passes must differ on one. */
  readonly verdict: string;
  readonly score: QuestionScore;
  readonly order: 'suite' | 'lowest' | 'highest';
}

export function listAnswers(
  answers: readonly AnswerLine[],
  { text, outcome, verdict, score, order }: AnswerFilter,
  differing: ReadonlySet<string>,
): AnswerLine[] {
  const words = text.toLowerCase().split(/\s+/);
  const found = answers.filter((answer) => {
    const searched = [answer.id, answer.question, answer.raw_response, ...answer.metadata.tags]
      .join(' ')
      .toLowerCase();
    return (
      words.every((word) => searched.includes(word)) &&
      (outcome === '' || answer.ledger_class === outcome) &&
      (verdict === '' ||
        (verdict === 'differ'
          ? differing.has(answerKey(answer))
          : answer.rubric.verdicts.some((item) => item.verdict === verdict)))
    );
  });
  if (order === 'suite') return found;
  const sign = order === 'lowest' ? 1 : -1;
  // Answers without a score come last either way.
  return found.toSorted((a, b) => {
    const [first, second] = [score.of(a), score.of(b)];
    if (first === null || second === null) return Number(first === null) - Number(second === null);
    return sign * (first - second);
  });
}

/** `ID`, or `ID~REPEAT` of a later repeat. */
export function answerKey({ id, repeat }: { readonly id: string; readonly repeat: number }): string {
  return repeat === 0 ? id : `${id}~${repeat}`;
}

/** The answers with an item on which judges, or passes of one judge, do not all say the same. */
export function differingAnswers(said: readonly SaidOfItem[]): ReadonlySet<string> {
  const byItem = Map.groupBy(said, (one) => JSON.stringify([one.id, one.repeat, one.item_id]));
  const differing = [...byItem.values()].filter(
    (ofItem) => new Set(ofItem.flatMap(({ verdicts }) => verdicts)).size > 1,
  );
  return new Set(differing.map((ofItem) => answerKey(ofItem[0]!)));
}
