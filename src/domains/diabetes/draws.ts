import type { Random } from '../../statistics/random.ts';
import { backgroundGenerator, backgroundScore } from '../cohort/background-values.ts';
import { chance, choose, roundToStep, uniform } from '../cohort/distributions.ts';
import { NO_CONTEXT } from '../cohort/fields.ts';
import type { Person } from '../cohort/people.ts';
import { CONTEXTS, type Context, UNRELATED } from './contexts.ts';
import type { MeasuredAcute, ShownBackground, ShownPerson, UnitSystem } from './form.ts';

/** How many records of a mixed cohort are in SI units. */
const SI_SHARE = 0.35;

/** The units of a record. Always draws, so that the cohort is the same in all unit systems. */
export function drawUnits(random: Random, asked: UnitSystem | 'mixed'): UnitSystem {
  const isSi = chance(random, SI_SHARE);
  return asked === 'mixed' ? (isSi ? 'si' : 'us') : asked;
}

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

/** How many records mention a context. */
const CONTEXT_SHARE = 0.34;

/** Draws whether a record mentions a clinical context, which one, and in what words. */
export function drawContext(
  random: Random,
  { sex, age }: Pick<Person, 'sex' | 'age'>,
  weights: ContextWeights,
): { readonly context: Context | null; readonly words: string } {
  if (!chance(random, CONTEXT_SHARE)) return { context: null, words: NO_CONTEXT };
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

const THERAPIES = {
  metformin: 30,
  'metformin and a sulfonylurea': 18,
  'metformin and an SGLT2 inhibitor': 18,
  'metformin and a GLP-1 receptor agonist': 12,
  'basal insulin and metformin': 12,
  'insulin, several injections a day': 10,
} as const;

/** Treatments that can make glucose low. */
const LOWERING = {
  'metformin and a sulfonylurea': 35,
  'basal insulin and metformin': 30,
  'insulin, several injections a day': 35,
} as const;

/** Draws a treatment of diabetes. Whoever had a low glucose has one that can cause it. */
export function drawTherapy(random: Random, context: Context | null, wasLow: boolean): string {
  const drawn = choose(random, THERAPIES);
  const lowering = choose(random, LOWERING);
  // Metformin is not given on dialysis.
  if (context === 'haemodialysis') return 'insulin, several injections a day';
  return wasLow ? lowering : drawn;
}

/** Whether a treatment can make glucose low. */
export function canLowerGlucose(therapy: string): boolean {
  return Object.hasOwn(LOWERING, therapy);
}

/** What a high glucose comes with. Values between a crisis and none are not drawn: whether they need action today would be open. */
const HIGH_GLUCOSE = { ketoacidosis: 55, hyperosmolar: 18, none: 27 } as const;
/** Below this pH a patient is always drawn as drowsy: nobody is that acidotic and alert. */
const DROWSY_BELOW_PH = 7.1;

/** Measurements of a person with high glucose: ketoacidosis, a hyperosmolar state, or neither. Blood gases are missing in some; high ketones then make ketoacidosis suspected. */
export function highGlucoseNow(random: Random): MeasuredAcute {
  const state = choose(random, HIGH_GLUCOSE);
  const hasGas = chance(random, 0.8) || state === 'hyperosmolar';
  const { glucose, bohb, ph, bicarbonate, sodium, isDrowsy } = DRAW[state](random);
  return {
    glucose,
    needsAssistance: false,
    isDrowsy,
    bohb: roundToStep(bohb, 0.1),
    ph: hasGas ? roundToStep(ph, 0.01) : null,
    bicarbonate: hasGas ? roundToStep(bicarbonate, 1) : null,
    sodium: roundToStep(sodium, 1),
  };
}

const DRAW = {
  ketoacidosis: (random: Random) => {
    const severity = random.float();
    const ph = 7.26 - 0.29 * severity + uniform(random, -0.02, 0.02);
    return {
      glucose: uniform(random, 260, 620),
      bohb: 3.3 + 4 * severity,
      ph,
      bicarbonate: 16 - 9 * severity + uniform(random, -1, 1),
      sodium: uniform(random, 127, 142),
      // Rounded, since that is how it is shown.
      isDrowsy: roundToStep(ph, 0.01) < DROWSY_BELOW_PH,
    };
  },
  hyperosmolar: (random: Random) => ({
    glucose: uniform(random, 640, 950),
    bohb: uniform(random, 0.2, 1.5),
    ph: uniform(random, 7.33, 7.42),
    bicarbonate: uniform(random, 19, 26),
    sodium: uniform(random, 136, 152),
    isDrowsy: chance(random, 0.5),
  }),
  none: (random: Random) => ({
    glucose: uniform(random, 210, 310),
    bohb: uniform(random, 0.1, 0.8),
    ph: uniform(random, 7.36, 7.43),
    bicarbonate: uniform(random, 22, 27),
    sodium: uniform(random, 135, 143),
    isDrowsy: false,
  }),
} as const;

/** Measurements of a person with low glucose, clearly below the line of level 2. */
function lowGlucoseNow(random: Random): MeasuredAcute {
  const glucose = uniform(random, 32, 51);
  const needsAssistance = chance(random, 0.3);
  const isDrowsy = false;
  return { glucose, needsAssistance, isDrowsy, bohb: null, ph: null, bicarbonate: null, sodium: null };
}

/** Low or high glucose, each in half of the people who have it measured now. */
export function glucoseNow(random: Random): MeasuredAcute {
  return chance(random, 0.5) ? lowGlucoseNow(random) : highGlucoseNow(random);
}

const drawBackground = backgroundGenerator(['hba1c_percent']);

/** Each field that decides nothing is missing with this probability, independent of everything. */
const MISSING = 0.14;

/** Anaemia of these contexts in g/dL, and the creatinine of people on dialysis, so that no line contradicts another. */
const ANAEMIA: Partial<Readonly<Record<Context, number>>> = {
  haemoglobin_variant: 5,
  recent_transfusion: 3,
  recent_blood_loss: 3,
  haemolysis: 4,
  erythropoietin: 3,
  haemodialysis: 3,
  iron_deficiency_anaemia: 4,
  pregnancy: 1.5,
  postpartum: 1.5,
};
const DIALYSIS_CREATININE = 8;
/** Values that decide nothing are never an emergency: haemoglobin in g/dL, pressure in mmHg, and pressure of a mother. */
const MIN_HAEMOGLOBIN = 7.6;
const MAX_PRESSURE = [178, 108] as const;
const MAX_PRESSURE_IN_PREGNANCY = [138, 88] as const;

/** What every task shows of a generated person. Draws the values that decide nothing, given the true HbA1c in %. */
export function drawShownPerson(
  random: Random,
  person: Person,
  drawn: {
    readonly units: UnitSystem;
    readonly context: Context | null;
    readonly words: string;
    readonly hba1c: number;
  },
): ShownPerson {
  const { index, age, sex, ethnicity } = person;
  const { units, context, words, hba1c } = drawn;
  const background = drawShownBackground(random, person, context, hba1c);
  return { source: index, years: age, age, sex, ethnicity, units, context: words, background };
}

function drawShownBackground(
  random: Random,
  person: Person,
  context: Context | null,
  hba1c: number,
): ShownBackground {
  const values = drawBackground(random, person, [backgroundScore('hba1c_percent', person, hba1c)]);
  const orMissing = <T>(value: T) => (chance(random, MISSING) ? null : value);
  const anaemia = context === null ? 0 : (ANAEMIA[context] ?? 0);
  const isMother = context === 'pregnancy' || context === 'postpartum';
  const [sbp, dbp] = isMother ? MAX_PRESSURE_IN_PREGNANCY : MAX_PRESSURE;
  const creatinine = values.creatinineMgDl * (context === 'haemodialysis' ? DIALYSIS_CREATININE : 1);
  return {
    bmi: orMissing(values.bmi),
    waistCm: orMissing(values.waistCm),
    pressure: orMissing(`${Math.min(sbp, values.sbp)}/${Math.min(dbp, values.dbp)}`),
    totalCholesterolMgDl: orMissing(values.totalCholesterolMgDl),
    hdlMgDl: orMissing(values.hdlMgDl),
    triglyceridesMgDl: orMissing(values.triglyceridesMgDl),
    creatinineMgDl: orMissing(creatinine),
    haemoglobinGDl: orMissing(Math.max(MIN_HAEMOGLOBIN, values.haemoglobinGDl - anaemia)),
  };
}
