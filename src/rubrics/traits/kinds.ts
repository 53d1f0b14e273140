import { callableKind } from './callable-trait.ts';
import { lengthKind } from './length-trait.ts';
import { llmKind } from './llm-trait.ts';
import { type MetricRubricTrait, metricKind } from './metric-trait.ts';
import { regexKind } from './regex-trait.ts';
import type { Trait, ValueKind } from './trait.ts';

/** Every kind of trait, in the order in which rubrics list them. A new kind is a file of its own and a line here. */
export const TRAIT_KINDS = [metricKind, llmKind, regexKind, callableKind, lengthKind] as const;

/** The traits of a rubric, by kind: `metricTraits`, `llmTraits`, ... Default: none of a kind. */
export type RubricTraits = {
  readonly [Kind in (typeof TRAIT_KINDS)[number] as `${Kind['id']}Traits`]?: readonly ReturnType<
    Kind['parse']
  >[];
};

/** A trait of a rubric together with its kind. */
export type RubricTrait =
  | {
      readonly scoredBy: 'items';
      readonly kind: typeof metricKind;
      readonly trait: MetricRubricTrait;
    }
  | { readonly scoredBy: 'value'; readonly kind: ValueKind; readonly trait: Trait };
