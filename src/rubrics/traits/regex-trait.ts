import { oncePer } from '../../core/collections.ts';
import * as field from './fields.ts';
import { type Trait, type TraitOutcome, unscored, type ValueKind } from './trait.ts';

/** A pattern that an answer has or has not. */
export interface RegexRubricTrait extends Trait {
  /** In RE2's syntax: no lookaround, no backreferences. */
  readonly pattern: string;
  readonly caseSensitive: boolean;
  /** True: the trait holds when the pattern is NOT found. */
  readonly invert: boolean;
  readonly higherIsBetter: boolean;
}

/** `caseSensitive` and `higherIsBetter` default to true, `invert` to false, `description` to null. */
export type RegexTraitOptions = Pick<RegexRubricTrait, 'name' | 'pattern'> & Partial<RegexRubricTrait>;

const SHAPE = {
  fields: {
    name: field.traitName,
    description: field.optionalText,
    pattern: field.pattern,
    caseSensitive: field.flag(true),
    invert: field.flag(false),
    higherIsBetter: field.flag(true),
  },
  aliases: { invert_result: 'invert' },
};

/** Steps a match may take: matching is linear in the text, but each character can cost as many steps as the program is long. This many are a second or two. */
const MAX_STEPS = 1e7;

const compiled = oncePer((trait: RegexRubricTrait) =>
  field.compilePattern(trait.pattern, trait.caseSensitive),
);

/**
 * A trait that holds where the answer has a match of the pattern (where it has none, with `invert`). Patterns run on RE2, whose time is linear in the answer:
 * none can hang a run.
 *
 * @example
 * ```ts
 * const hedge = regexTrait({ name: 'No guarantee', pattern: '\\bguarantee[ds]?\\b', caseSensitive: false, invert: true });
 * regexOutcome(hedge, 'We GUARANTEE it.') // => { kind: 'boolean', value: false }
 * regexOutcome(hedge, 'It often helps.') // => { kind: 'boolean', value: true }
 * ```
 */
export function regexTrait(options: RegexTraitOptions): RegexRubricTrait {
  return field.readTrait(options, SHAPE, field.inCode, 'regex trait');
}

/** Regex traits: decided by the text of the answer alone. */
export const regexKind: ValueKind<RegexRubricTrait, 'regex'> = {
  id: 'regex',
  scoredBy: 'value',
  needs: 'answer',
  parse: (object, place) => field.readTrait(object, SHAPE, field.inFile, place),
  toJSON: (trait) => field.fileForm(trait, SHAPE),
  values: () => ({ kind: 'boolean' }),
  outcome: regexOutcome,
};

/**
 * Whether the trait holds for an answer; unscored where the pattern is so large and the answer so long that matching would take seconds.
 *
 * @example
 * ```ts
 * regexOutcome(regexTrait({ name: 'Units', pattern: 'mmol/L' }), 'It is 6.3 mmol/L.') // => { kind: 'boolean', value: true }
 * ```
 */
export function regexOutcome(trait: RegexRubricTrait, answer: string): TraitOutcome {
  const pattern = compiled(trait);
  const steps = pattern.programSize() * answer.length;
  if (steps > MAX_STEPS) {
    return unscored(
      `the pattern could take ${Math.round(steps / 1e6)} million steps on ${answer.length} characters; use smaller repeat counts`,
    );
  }
  return { kind: 'boolean', value: pattern.matcher(answer).find() !== trait.invert };
}
