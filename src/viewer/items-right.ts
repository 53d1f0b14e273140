import type { QuestionsPayload } from './api.ts';

/** How many scored items of an answer are right: required and present, or forbidden and not claimed. */
export function itemsRight({ rubric }: Pick<QuestionsPayload['evaluation_results'][number], 'rubric'>) {
  let [right, scored] = [0, 0];
  for (const { counts, n_scored: n } of Object.values(rubric.metric_trait_details)) {
    right += counts.tp + counts.tn;
    scored += n;
  }
  return { right, scored };
}
