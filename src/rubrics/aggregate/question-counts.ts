import type { ConfusionCounts, OpenItems } from '../confusion-metrics.ts';

/** The counts of one answer to a question, as `scoreVerdicts` and `scoreConfusionLists` give them. */
export interface QuestionCounts {
  readonly questionId: string;
  readonly counts: ConfusionCounts;
  readonly open?: OpenItems;
}

export interface PooledCounts {
  readonly counts: ConfusionCounts;
  readonly open: OpenItems;
}

/** One entry per question, answers to it summed, in the order of ids: results cannot depend on the order of the input. */
export function byQuestion(answers: readonly QuestionCounts[]): PooledCounts[] {
  const groups = Map.groupBy(answers, ({ questionId }) => questionId);
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => pooledCounts(group));
}

/** The sum of all counts. */
export function pooledCounts(parts: readonly Omit<QuestionCounts, 'questionId'>[]): PooledCounts {
  const counts = { tp: 0, fn: 0, fp: 0, tn: 0 };
  const open = { required: 0, forbidden: 0 };
  for (const part of parts) {
    counts.tp += part.counts.tp;
    counts.fn += part.counts.fn;
    counts.fp += part.counts.fp;
    counts.tn += part.counts.tn;
    open.required += part.open?.required ?? 0;
    open.forbidden += part.open?.forbidden ?? 0;
  }
  return { counts, open };
}
