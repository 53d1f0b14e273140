import { assertSameLength } from './same-length.ts';

/** The rows in which every confidence is a probability: others are in no statistic of confidence. */
export function usableConfidences<C extends readonly (readonly (number | null)[])[]>(
  correct: readonly (number | boolean)[],
  ...confidences: C
): { readonly correct: (number | boolean)[]; readonly confidences: { [K in keyof C]: number[] } } {
  for (const values of confidences) assertSameLength({ correct, confidences: values });
  const isProbability = (value: number | null | undefined) => value != null && value >= 0 && value <= 1;
  const isUsable = (_: unknown, i: number) => confidences.every((values) => isProbability(values[i]));
  return {
    correct: correct.filter(isUsable),
    confidences: confidences.map((values) => values.filter(isUsable)) as { [K in keyof C]: number[] },
  };
}
