import type { Random } from '../../statistics/index.ts';
import { chance, choose } from '../cohort/distributions.ts';
import type { Person } from '../cohort/people.ts';
import { CONTEXTS, type Context, NO_CONTEXT, UNRELATED } from './contexts.ts';

/** Weights of contexts. */
export type ContextWeights = Readonly<Partial<Record<Context, number>>>;

/** Women of this age and older are drawn neither as pregnant nor as having just given birth. */
const CHILDBEARING_BELOW = 45;
const YOUNG_BELOW = 50;

/** Contexts that make HbA1c invalid for years. */
export const LASTING_CONTEXTS: ContextWeights = {
  haemoglobin_variant: 3,
  haemolysis: 3,
  g6pd_deficiency: 3,
  erythropoietin: 3,
  haemodialysis: 3,
  iron_deficiency_anaemia: 3,
  hiv_treatment: 3,
};

/** Contexts that make HbA1c invalid now. */
export const RED_CELL_CONTEXTS: ContextWeights = {
  ...LASTING_CONTEXTS,
  recent_transfusion: 3,
  recent_blood_loss: 3,
  postpartum: 3,
};

export interface DrawnContext {
  readonly context: Context | null;
  readonly words: string;
}

/** How many records mention a context. */
const CONTEXT_SHARE = 0.34;
const NOTHING: DrawnContext = { context: null, words: NO_CONTEXT };

/** Draws whether a record mentions a clinical context, which one, and in what words. */
export function drawContext(
  random: Random,
  { sex, age }: Pick<Person, 'sex' | 'age'>,
  weights: ContextWeights,
): DrawnContext {
  if (!chance(random, CONTEXT_SHARE)) return NOTHING;
  const drawn = choose(random, weights as Readonly<Record<Context, number>>);
  // A knee replacement in a young person would be implausible.
  const other = UNRELATED[random.integer(age < YOUNG_BELOW ? UNRELATED.length - 1 : UNRELATED.length)]!;
  const isMother = drawn === 'pregnancy' || drawn === 'postpartum';
  if (drawn === 'unrelated' || (isMother && !(sex === 'female' && age < CHILDBEARING_BELOW)))
    return { context: 'unrelated', words: other };
  if (drawn === 'glucose_lowering_drug' && sex === 'female' && age < CHILDBEARING_BELOW)
    return { context: drawn, words: 'takes metformin for polycystic ovaries' };
  return { context: drawn, words: CONTEXTS[drawn] };
}
