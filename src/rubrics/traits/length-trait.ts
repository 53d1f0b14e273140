import * as field from './fields.ts';
import type { TraitOutcome, ValueKind } from './trait.ts';

/** Characters as a reader counts them: an accented letter or an emoji is one. */
const UNITS = ['words', 'characters'] as const;

/** The least or the most that is allowed; null for no limit. */
const limit = field.valueOr(
  null,
  'a whole number from 0',
  (value): value is number | null => value === null || (Number.isSafeInteger(value) && Number(value) >= 0),
);

const SHAPE = {
  fields: {
    name: field.traitName,
    description: field.optionalText,
    unit: field.oneOf(UNITS, 'words'),
    min: limit,
    max: limit,
    higherIsBetter: field.flag(true),
  },
};

const SEGMENTERS = {
  words: new Intl.Segmenter('und', { granularity: 'word' }),
  characters: new Intl.Segmenter('und', { granularity: 'grapheme' }),
};

/** Length traits: hold where the answer has at least `min` and at most `max` words or characters. */
export const lengthKind: ValueKind<ReturnType<typeof parseLengthTrait>, 'length'> = {
  id: 'length',
  scoredBy: 'value',
  needs: 'answer',
  parse: parseLengthTrait,
  toJSON: (trait) => field.fileForm(trait, SHAPE),
  values: () => ({ kind: 'boolean' }),
  outcome: lengthOutcome,
};

/**
 * Whether an answer keeps to the limits.
 *
 * @example
 * ```ts
 * const rubric = Rubric.parse({ length_traits: [{ name: 'Brief', max: 3 }] });
 * const [{ kind, trait }] = rubric.traits;
 * kind.outcome(trait, 'Eat less salt.', null) // => { kind: 'boolean', value: true }
 * ```
 */
function lengthOutcome(
  { unit, min, max }: ReturnType<typeof parseLengthTrait>,
  answer: string,
): TraitOutcome {
  const segments = SEGMENTERS[unit].segment(answer.trim());
  let length = 0;
  for (const { isWordLike } of segments) if (unit === 'characters' || isWordLike) length += 1;
  return { kind: 'boolean', value: length >= (min ?? 0) && length <= (max ?? Number.POSITIVE_INFINITY) };
}

function parseLengthTrait(given: unknown, place: string) {
  return field.readTrait(given, SHAPE, field.inFile, place, ({ problems }, { min, max }) => {
    if (min === null && max === null) problems.push('neither min nor max is given; expected a limit');
    if (min !== null && max !== null && min > max)
      problems.push(`min is ${min} and max is ${max}; expected min at or below max`);
  });
}
