import {
  type AskedItem,
  type AskedTrait,
  itemsOf,
  type MetricRubricTrait,
  type Rubric,
} from '../../rubrics/index.ts';

/** Traits of a global rubric are the same for all questions, and the ids of their items are hashes. */
const known = new WeakMap<MetricRubricTrait, AskedItem[]>();

/** All that a judge is asked about an answer: the items of every metric trait, each with its trait's description as scope, and the LLM traits. */
export function askedOf(rubric: Rubric): { items: AskedItem[]; llmTraits: AskedTrait[] } {
  return {
    items: rubric.metricTraits.flatMap(askedItems),
    llmTraits: rubric.llmTraits.map((trait) => trait as AskedTrait),
  };
}

function askedItems(trait: MetricRubricTrait): AskedItem[] {
  let items = known.get(trait);
  if (items === undefined) {
    items = itemsOf(trait).map(({ id, instruction }) => ({
      id,
      instruction,
      ...(trait.description ? { scope: trait.description } : {}),
      ...(trait.repeatedExtraction ? {} : { allQuotes: true }),
    }));
    known.set(trait, items);
  }
  return items;
}
