import { createRandom, type Random, type RandomPurpose } from '../../statistics/random.ts';
import { chance, choose, drawItem, uniform } from './distributions.ts';

export const SEXES = ['female', 'male'] as const;
export type Sex = (typeof SEXES)[number];

/** Self-described, in the six groups that NHANES publishes. */
export const ETHNICITIES = [
  'Mexican American',
  'other Hispanic',
  'non-Hispanic White',
  'non-Hispanic Black',
  'non-Hispanic Asian',
  'other or multiracial',
] as const;
export type Ethnicity = (typeof ETHNICITIES)[number];

/** An adult of a generated cohort, before anything is measured. */
export interface Person {
  /** 0 for the first. */
  readonly index: number;
  readonly sex: Sex;
  readonly ethnicity: Ethnicity;
  /** In whole years. */
  readonly age: number;
}

/** Bands of age with their share of the cohort, wide enough for a table by age. */
const AGE_BANDS = {
  '20-44': { share: 34, from: 20, below: 45 },
  '45-64': { share: 34, from: 45, below: 65 },
  '65-74': { share: 18, from: 65, below: 75 },
  '75+': { share: 14, from: 75, below: 89 },
} as const;
const AGE_SHARES = Object.fromEntries(
  Object.entries(AGE_BANDS).map(([band, { share }]) => [band, share]),
) as Record<keyof typeof AGE_BANDS, number>;

/**
 * The people of a seed, one at a time. Sex is a fair coin, ethnicity one of six groups with equal weight, and both are independent of age and of all that follows, so that
 * a gap between groups is the model's.
 *
 * @example
 * ```ts
 * const [first] = drawPeople(42);
 * first.index // => 0
 * ```
 */
export function* drawPeople(seed: number): Generator<Person, never> {
  const random = createRandom(seed, 'people');
  for (let index = 0; ; index++) {
    const sex = chance(random, 0.5) ? 'female' : 'male';
    const ethnicity = drawItem(random, ETHNICITIES);
    const { from, below } = AGE_BANDS[choose(random, AGE_SHARES)];
    yield { index, sex, ethnicity, age: Math.floor(uniform(random, from, below)) };
  }
}

/** The people of a seed with what `draw` adds to each from a random stream, without end. All depend on those before them. */
export function* drawPatients<T>(
  seed: number,
  purpose: RandomPurpose,
  draw: (random: Random, person: Person) => T,
): Generator<T, never> {
  const random = createRandom(seed, purpose);
  const people = drawPeople(seed);
  for (;;) yield draw(random, people.next().value);
}
