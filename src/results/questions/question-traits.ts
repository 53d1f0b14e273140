import type {
  CallableRubricTrait,
  LlmRubricTrait,
  MetricRubricTrait,
  RegexRubricTrait,
  Rubric,
} from '../../rubrics/index.ts';

/** A trait that an answer is judged by, and the rubric whose judgement speaks of it. */
export type QuestionTrait = { readonly rubric: string } & (
  | { readonly kind: 'metric'; readonly trait: MetricRubricTrait }
  | { readonly kind: 'llm'; readonly trait: LlmRubricTrait }
  | { readonly kind: 'regex'; readonly trait: RegexRubricTrait }
  | { readonly kind: 'callable'; readonly trait: CallableRubricTrait }
);

/** The traits of all rubrics of a question, in the order in which they were added. A trait that comes again under its name takes the place of the earlier one. */
export function questionTraits(rubrics: readonly Rubric[]): QuestionTrait[] {
  const byName = new Map<string, QuestionTrait>();
  for (const rubric of rubrics) {
    const { hash } = rubric;
    const traits: QuestionTrait[] = [
      ...rubric.metricTraits.map((trait) => ({ kind: 'metric' as const, trait, rubric: hash })),
      ...rubric.llmTraits.map((trait) => ({ kind: 'llm' as const, trait, rubric: hash })),
      ...rubric.regexTraits.map((trait) => ({ kind: 'regex' as const, trait, rubric: hash })),
      ...rubric.callableTraits.map((trait) => ({ kind: 'callable' as const, trait, rubric: hash })),
    ];
    for (const trait of traits) byName.set(trait.trait.name.toLowerCase(), trait);
  }
  return [...byName.values()];
}
