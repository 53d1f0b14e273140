import { KrisisError } from '../core/errors.ts';
import { type ConfusionLists, scoreConfusionLists } from '../rubrics/confusion-metrics.ts';
import { Rubric } from '../rubrics/rubric.ts';
import { scoreVerdicts } from '../rubrics/score-verdicts.ts';
import { listItems, MetricRubricTrait } from '../rubrics/traits/metric-trait.ts';
import type { ItemVerdict } from '../rubrics/verdict.ts';
import { searchQuote } from '../rubrics/verify-quote.ts';
import { type CaseFunction, type CaseValues, mapValues } from './case-function.ts';

/** Every reference function of rubrics, by its name in the file. */
export const rubricFunctions: Record<string, CaseFunction> = {
  metric_trait_scores: ({ trait, confusion_lists: lists }) => {
    const { metrics } = scoreConfusionLists(MetricRubricTrait.parse(trait), lists as ConfusionLists);
    return mapValues(metrics, ({ value }) => value);
  },
  metric_trait: ({ trait }) =>
    validity(() => {
      const made = MetricRubricTrait.parse(trait);
      return {
        ...made.toJSON(),
        required_buckets: [...made.getRequiredBuckets()].sort(),
        n_warnings: made.warnings.length,
      };
    }),
  rubric: ({ rubric }) =>
    validity(() => {
      const made = Rubric.parse(rubric);
      return {
        ...made.toJSON(),
        metric_trait_names: made.getMetricTraitNames(),
        trait_names: made.traitNames(),
        required_buckets: [...made.getRequiredBuckets()].sort(),
      };
    }),
  metric_trait_verdicts: ({ trait: given, verdicts }) => {
    const trait = MetricRubricTrait.parse(given);
    const scored = scoreVerdicts(trait, toVerdicts(trait, verdicts));
    const { metrics, lists, counts, nScored, nItems, unscored } = scored;
    return {
      scores: mapValues(metrics, ({ value }) => value),
      bounds: mapValues(metrics, ({ bounds }) => bounds && [bounds.lower, bounds.upper]),
      confusion_lists: lists,
      counts,
      n_scored: nScored,
      n_items: nItems,
      unscored: unscored.map(({ item, reason }) => [item.instruction, reason]),
    };
  },
  quantity_in_text: ({ answer, quote }) => {
    const { place, quantity, negatedContext } = searchQuote(answer, quote);
    return { found: place !== null, quantity, negated_context: negatedContext };
  },
};

/** Whether the input is valid, with its properties if so. Any error other than a KrisisError fails the case. */
function validity(make: () => object): object {
  try {
    return { valid: true, ...make() };
  } catch (error) {
    if (!(error instanceof KrisisError) || error.code === 'ERR_INTERNAL') throw error;
    return { valid: false };
  }
}

/** Verdicts by instruction; every quote gets a position of its own in a fictitious answer. */
function toVerdicts(trait: MetricRubricTrait, verdicts: CaseValues[]): ItemVerdict[] {
  const items = listItems(trait);
  return verdicts.map(({ instruction, verdict, quotes }) => {
    const item = items.find((candidate) => candidate.instruction === instruction);
    if (item === undefined) throw new Error(`no instruction "${instruction}"`);
    const placed = (quotes ?? []).map((text: string, i: number) => ({
      text,
      start: 1000 * i,
      end: 1000 * i + text.length,
    }));
    return { id: item.id, verdict, quotes: placed, reason: null };
  });
}
