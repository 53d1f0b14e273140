import { shown } from '../../core/plain-text.ts';
import type { AskedTrait } from '../judge/asked.ts';
import * as field from './fields.ts';
import { type TraitOutcome, unscored, type ValueKind } from './trait.ts';

const KINDS = ['boolean', 'score', 'literal'] as const;
/** A judgment of the whole answer that a judge model gives. `description` is what the judge is asked; the name when nothing is given. Of `classes`, from first to last, the last is the best with `higherIsBetter`. */
export type LlmRubricTrait = AskedTrait & { readonly higherIsBetter: boolean };

/** What an LLM trait is made of. */
export interface LlmTraitOptions {
  /** Unique in its rubric, whatever the case. */
  readonly name: string;
  /** `boolean`, `score` (a number) or `literal` (one of `classes`). */
  readonly kind: (typeof KINDS)[number];
  /** What the judge is asked. Default: the name. */
  readonly description?: string | null;
  /** The lowest score. Default: 1. */
  readonly min?: number;
  /** The highest score. Default: 5. */
  readonly max?: number;
  /** The classes of a `literal`, in order. */
  readonly classes?: readonly string[];
  /** Whether a higher value, or a later class, is better. Default: true. */
  readonly higherIsBetter?: boolean;
}

const SHAPE = {
  fields: {
    name: field.traitName,
    description: (fields: field.Fields, key: string) =>
      field.optionalText(fields, key) ?? String(fields.value('name')).trim(),
    kind: field.oneOf(KINDS),
    min: ofKind('score', field.valueOr(1, 'a number', field.isNumber)),
    max: ofKind('score', field.valueOr(5, 'a number', field.isNumber)),
    classes: ofKind('literal', readClasses),
    higherIsBetter: field.flag(true),
  },
  aliases: { min_score: 'min', max_score: 'max' },
};

/**
 * A trait that a judge model decides: true or false, a number in a range (default: 1 to 5), or one of several classes in order.
 *
 * @example
 * ```ts
 * llmTrait({ name: 'Tone', kind: 'literal', classes: ['cold', 'neutral', 'warm'] }).higherIsBetter // => true
 * llmTrait({ name: 'Clarity', kind: 'score', max: 10, description: 'How clear it is to a lay reader.' }).min // => 1
 * ```
 */
export function llmTrait(options: LlmTraitOptions): LlmRubricTrait {
  return readLlmTrait(options, field.inCode, 'LLM trait');
}

/** LLM traits: a judge is asked for the value, in the same call as the items. */
export const llmKind: ValueKind<LlmRubricTrait, 'llm'> = {
  id: 'llm',
  scoredBy: 'value',
  needs: 'judge',
  parse: (object, place) => readLlmTrait(object, field.inFile, place),
  // A description that only repeats the name is the default.
  toJSON: (trait) =>
    field.fileForm(trait.description === trait.name ? { ...trait, description: null } : trait, SHAPE),
  values: (trait) => ({
    kind: trait.kind,
    ...(trait.kind === 'score' && { range: { lower: trait.min, upper: trait.max } }),
    ...(trait.kind === 'literal' && { classes: trait.classes }),
  }),
  outcome: (trait, _, given) => llmOutcome(trait, given),
};

/**
 * What a judge said, as an outcome of the trait. Null, or a value that the trait does not have, is unscored: a failure of the judge is never a score.
 *
 * @example
 * ```ts
 * const tone = llmTrait({ name: 'Tone', kind: 'literal', classes: ['cold', 'warm'] });
 * llmOutcome(tone, 'warm') // => { kind: 'literal', value: 'warm', position: 1 }
 * llmOutcome(tone, 'hot') // => { kind: 'unscored', reason: '"hot" is none of its classes' }
 * ```
 */
export function llmOutcome(trait: LlmRubricTrait, value: unknown): TraitOutcome {
  if (value === null || value === undefined) return unscored('no_value');
  if (trait.kind === 'boolean') {
    return typeof value === 'boolean'
      ? { kind: 'boolean', value }
      : unscored(`${shown(value)} is neither true nor false`);
  }
  if (trait.kind === 'score') {
    return typeof value === 'number' && value >= trait.min && value <= trait.max
      ? { kind: 'score', value }
      : unscored(`${shown(value)} is no number from ${trait.min} to ${trait.max}`);
  }
  const position = trait.classes.indexOf(value as string);
  return position < 0
    ? unscored(`${shown(value)} is none of its classes`)
    : { kind: 'literal', value: trait.classes[position]!, position };
}

function readLlmTrait(given: unknown, spell: typeof field.inFile, place: string): LlmRubricTrait {
  const trait = field.readTrait(given, SHAPE, spell, place, ({ problems }, { min, max }) => {
    if (min !== undefined && max !== undefined && min >= max)
      problems.push(`the range is ${min} to ${max}; expected min below max`);
  });
  return trait as LlmRubricTrait;
}

/** A field that traits of one kind have, and others must not. */
function ofKind<T>(owner: AskedTrait['kind'], read: field.Reader<T>): field.Reader<T | undefined> {
  return (fields, key) => {
    const kind = fields.value('kind');
    if (kind === owner) return read(fields, key);
    if (KINDS.some((known) => known === kind) && fields.value(key) !== undefined)
      fields.problems.push(
        `${key} belongs to kind ${owner}, and kind is ${kind}; remove it, or change the kind`,
      );
    return undefined;
  };
}

function readClasses(fields: field.Fields): string[] {
  const value = fields.value('classes');
  const names = Array.isArray(value) ? value : [];
  const valid = names.every((name) => typeof name === 'string' && name.trim() !== '');
  const distinct = new Set(names.map((name) => String(name).trim().toLowerCase())).size === names.length;
  if (names.length < 2 || !valid || !distinct) {
    field.complain(fields, 'classes', 'a list of at least two different names, in order');
    return [];
  }
  return names.map((name: string) => name.trim());
}
