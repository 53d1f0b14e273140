import { itemsOf } from '../items.ts';
import type { AskedItem } from '../judge/asked-item.ts';
import type { AskedTrait } from '../judge/asked-trait.ts';
import type { Rubric } from '../rubric.ts';

/** All that a judge is asked about an answer: the items of every metric trait, each with its trait's description as scope, and the LLM traits. */
export function askedOf(rubric: Rubric): { items: AskedItem[]; llmTraits: AskedTrait[] } {
  return {
    items: rubric.metricTraits.flatMap((trait) =>
      itemsOf(trait).map(({ id, instruction }) => ({
        id,
        instruction,
        ...(trait.description ? { scope: trait.description } : {}),
        ...(trait.repeatedExtraction ? {} : { allQuotes: true }),
      })),
    ),
    llmTraits: rubric.llmTraits.map((trait) => trait as AskedTrait),
  };
}
