import type { Rubric, RubricTrait } from '../../rubrics/index.ts';

/** A trait that an answer is judged by, and the hash of the rubric whose judgement covers it. */
export type QuestionTrait = RubricTrait & { readonly rubric: string };

/** The traits of all rubrics of a question, in the order in which they were added. A trait that comes again under its name replaces the earlier one. */
export function questionTraits(rubrics: readonly Rubric[]): QuestionTrait[] {
  const byName = new Map<string, QuestionTrait>();
  for (const { traits, hash } of rubrics) {
    for (const entry of traits) byName.set(entry.trait.name.toLowerCase(), { ...entry, rubric: hash });
  }
  return [...byName.values()];
}
