import {
  complain,
  type Fields,
  fileForm,
  flag,
  inCode,
  inFile,
  oneOf,
  openFields,
  optionalText,
  refuseProblems,
  type Shape,
  type Spelling,
  shown,
  traitName,
} from './fields.ts';
import { type TraitOutcome, unscored, type ValueKind } from './trait.ts';

const KINDS = ['boolean', 'score', 'literal'] as const;
const DEFAULT_RANGE = { min: 1, max: 5 };

/** A judgment of the whole answer that a judge model gives. */
export type LlmRubricTrait = {
  readonly name: string;
  /** What the judge is asked; the name when nothing is given. */
  readonly description: string;
  readonly higherIsBetter: boolean;
} & (
  | { readonly kind: 'boolean' }
  | { readonly kind: 'score'; readonly min: number; readonly max: number }
  /** Classes from first to last; with `higherIsBetter` the last is the best. */
  | { readonly kind: 'literal'; readonly classes: readonly string[] }
);

export interface LlmTraitOptions {
  readonly name: string;
  readonly kind: (typeof KINDS)[number];
  readonly description?: string | null;
  readonly min?: number;
  readonly max?: number;
  readonly classes?: readonly string[];
  readonly higherIsBetter?: boolean;
}

const SHAPE: Shape = {
  keys: ['name', 'description', 'kind', 'min', 'max', 'classes', 'higherIsBetter'],
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
  return readLlmTrait(options, inCode, 'LLM trait');
}

/** LLM traits: a judge is asked for the value, in the same call as the items. */
export const llmKind: ValueKind<LlmRubricTrait, 'llm'> = {
  id: 'llm',
  scoredBy: 'value',
  needs: 'judge',
  parse: (object, place) => readLlmTrait(object, inFile, place),
  // A description that only repeats the name is the default.
  toJSON: (trait) =>
    fileForm(trait.description === trait.name ? { ...trait, description: null } : trait, SHAPE),
  asksJudge: (trait) => ({ traits: [trait] }),
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

function readLlmTrait(given: unknown, spell: Spelling, place: string): LlmRubricTrait {
  const fields = openFields(given, SHAPE, spell);
  const name = traitName(fields);
  const kind = oneOf(fields, 'kind', KINDS);
  const common = {
    name,
    description: optionalText(fields, 'description') ?? name,
    higherIsBetter: flag(fields, 'higherIsBetter', true),
  };
  const own = kind === 'score' ? rangeOf(fields) : kind === 'literal' ? { classes: classesOf(fields) } : {};
  refuseFieldsOfOtherKinds(fields, kind);
  refuseProblems(fields.problems, place, name, given);
  return { ...common, kind, ...own } as LlmRubricTrait;
}

function rangeOf(fields: Fields): { min: number; max: number } {
  const bound = (key: 'min' | 'max') => {
    const value = fields.value(key);
    if (value === undefined) return DEFAULT_RANGE[key];
    if (typeof value === 'number' && Number.isFinite(value)) return value;
    complain(fields, key, 'a number');
    return DEFAULT_RANGE[key];
  };
  const range = { min: bound('min'), max: bound('max') };
  if (range.min >= range.max)
    fields.problems.push(`the range is ${range.min} to ${range.max}; expected min below max`);
  return range;
}

function classesOf(fields: Fields): string[] {
  const value = fields.value('classes');
  const names = Array.isArray(value) ? value : [];
  const valid = names.every((name) => typeof name === 'string' && name.trim() !== '');
  const distinct = new Set(names.map((name) => String(name).trim().toLowerCase())).size === names.length;
  if (names.length < 2 || !valid || !distinct) {
    complain(fields, 'classes', 'a list of at least two different names, in order');
    return [];
  }
  return names.map((name: string) => name.trim());
}

function refuseFieldsOfOtherKinds(fields: Fields, kind: string | undefined): void {
  const owners = { min: 'score', max: 'score', classes: 'literal' } as const;
  for (const [key, owner] of Object.entries(owners)) {
    if (kind === undefined || kind === owner || fields.value(key) === undefined) continue;
    fields.problems.push(
      `${key} belongs to kind ${owner}, and kind is ${kind}; remove it, or change the kind`,
    );
  }
}
