import { callableKind } from './callable-trait.ts';
import { lengthKind } from './length-trait.ts';
import { llmKind } from './llm-trait.ts';
import { type MetricRubricTrait, metricKind } from './metric-trait.ts';
import { regexKind } from './regex-trait.ts';
import type { ItemsKind, Trait, ValueKind } from './trait.ts';

/** Every kind of trait, in the order in which rubrics list them. A new kind is a file of its own and a line here. */
export const TRAIT_KINDS = [metricKind, llmKind, regexKind, callableKind, lengthKind] as const;

type Kind = (typeof TRAIT_KINDS)[number];

/** Lists of traits by kind, as a rubric is made of: `metricTraits`, `llmTraits`, ... */
export type TraitsByKind = {
  readonly [K in Kind as `${K['id']}Traits`]: readonly ReturnType<K['parse']>[];
};

/** A trait of a rubric together with its kind. */
export type RubricTrait =
  | {
      readonly scoredBy: 'items';
      readonly kind: ItemsKind<MetricRubricTrait>;
      readonly trait: MetricRubricTrait;
    }
  | { readonly scoredBy: 'value'; readonly kind: ValueKind; readonly trait: Trait };
