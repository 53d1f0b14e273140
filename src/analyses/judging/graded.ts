import type { JudgedAnswer } from './judged-answers.ts';

/** Whether a grader decided the items, with an explanation in place of quotes. It says met or not met: it finds no contradictions. */
export function isGraded(answers: readonly Pick<JudgedAnswer, 'metricTraits'>[]): boolean {
  return answers.some(({ metricTraits }) =>
    metricTraits.some(({ items }) => items.some(({ explanation }) => explanation !== undefined)),
  );
}
