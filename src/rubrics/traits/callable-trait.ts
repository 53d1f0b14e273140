import { shown } from '../../core/plain-text.ts';
import * as field from './fields.ts';
import {
  type Trait,
  type TraitFunction,
  type TraitFunctions,
  type TraitOutcome,
  unscored,
  type ValueKind,
} from './trait.ts';

/** A function of the user's own. Files hold its name only; code is never stored, and never read from a file. */
export interface CallableRubricTrait extends Trait {
  readonly higherIsBetter: boolean;
  /** Null in a rubric read from a file, until the function is given. */
  readonly evaluate: TraitFunction | null;
}

/** `higherIsBetter` defaults to true, `description` to null. */
export type CallableTraitOptions = Pick<CallableRubricTrait, 'name'> &
  Partial<CallableRubricTrait> & { readonly evaluate: TraitFunction };

const CODE = 'is not read: code is never taken from a rubric; give the function in TypeScript';
const SHAPE = {
  fields: { name: field.traitName, description: field.optionalText, higherIsBetter: field.flag(true) },
  refused: { callableCode: CODE, code: CODE, evaluate: CODE },
};

/**
 * A trait that a function decides: true or false, a number, or a text.
 *
 * @example
 * ```ts
 * const short = callableTrait({ name: 'Short', evaluate: (answer) => answer.length < 20 });
 * callableOutcome(short, 'Drink less.', 'What now?') // => { kind: 'boolean', value: true }
 * ```
 */
export function callableTrait({ evaluate, ...options }: CallableTraitOptions): CallableRubricTrait {
  return readCallableTrait(options, evaluate, field.inCode, 'callable trait');
}

/** Callable traits: the value is what the function gave when the answer came, since the function itself is never stored. */
export const callableKind: ValueKind<CallableRubricTrait, 'callable'> = {
  id: 'callable',
  scoredBy: 'value',
  needs: 'function',
  parse: parseCallableTrait,
  toJSON: (trait) => field.fileForm(trait, SHAPE),
  getFunction: (trait) => trait.evaluate && ((answer, question) => callableOutcome(trait, answer, question)),
  values: () => ({ kind: null }),
  outcome: (_, __, given) => valueOutcome(given),
};

function parseCallableTrait(object: unknown, place: string, functions: TraitFunctions): CallableRubricTrait {
  const name = (object as { name?: unknown } | null)?.name;
  const own =
    typeof name === 'string' && Object.hasOwn(functions, name.trim()) ? functions[name.trim()]! : null;
  return readCallableTrait(object, own, field.inFile, place);
}

/**
 * What the function says of an answer. A function that is absent, throws, or gives something else leaves the trait unscored.
 *
 * @example
 * ```ts
 * const words = callableTrait({ name: 'Words', evaluate: (answer) => answer.split(' ').length });
 * callableOutcome(words, 'Eat less salt.', 'What now?') // => { kind: 'score', value: 3 }
 * ```
 */
export function callableOutcome(trait: CallableRubricTrait, answer: string, question: string): TraitOutcome {
  if (trait.evaluate === null) return unscored('the function was not given');
  let value: unknown;
  try {
    value = trait.evaluate(answer, question);
  } catch (error) {
    return unscored(`the function failed: ${error instanceof Error ? error.message : String(error)}`);
  }
  return valueOutcome(value);
}

function valueOutcome(value: unknown): TraitOutcome {
  if (typeof value === 'boolean') return { kind: 'boolean', value };
  if (typeof value === 'number' && Number.isFinite(value)) return { kind: 'score', value };
  if (typeof value === 'string') return { kind: 'literal', value, position: null };
  const found = value instanceof Promise ? 'a promise' : shown(value);
  return unscored(`the function gave ${found}; expected true or false, a number or a text`);
}

function readCallableTrait(
  given: unknown,
  evaluate: unknown,
  spell: typeof field.inFile,
  place: string,
): CallableRubricTrait {
  const trait = field.readTrait(given, SHAPE, spell, place, (fields) => {
    if (evaluate !== null && typeof evaluate !== 'function') field.complain(fields, 'evaluate', 'a function');
  });
  return { ...trait, evaluate: evaluate as TraitFunction | null };
}
