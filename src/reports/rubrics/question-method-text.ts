import type { QuestionReport } from '../../results/index.ts';

/** How the numbers were made, in a few sentences for a paper. */
export function questionMethodText({ method, repeats }: QuestionReport): string {
  const level = Math.round(method.level * 1000) / 10;
  const bootstrap =
    method.resamples === 0
      ? 'no bootstrap'
      : `BCa or percentile bootstrap over questions (${method.resamples} resamples, seed ${method.seed}, ${method.generator})`;
  return [
    'One verdict per instruction, counted by instruction; a quote counts only where it stands in the answer.',
    `${level} % intervals: Wilson for shares of items of one answer and of questions, ${bootstrap} for the others; Wilson over questions where all agree.`,
    'Bounds: what unscored items could have made of a value.',
    ...(repeats > 1 ? ['Several answers to one question are one question.'] : []),
    'Pass 1 of the judge is scored.',
  ].join(' ');
}
