import type { Random } from '../../../statistics/random.ts';
import { normalCdf } from '../../../statistics/special-functions.ts';
import { chance, cholesky, choose, normal, uniform } from '../../cohort/distributions.ts';
import { drawPatients, type Person } from '../../cohort/people.ts';
import { GLYCAEMIA_CATEGORIES, type GlycaemiaCategory, glycaemiaCategory } from '../ada.ts';
import { type Context, invalidatesHba1c, oldestWithin, raisesGlucose } from '../contexts.ts';
import {
  type ContextWeights,
  drawContext,
  drawShownPerson,
  drawUnits,
  highGlucoseNow,
  RED_CELL_CONTEXTS,
} from '../draws.ts';
import type { MeasuredAcute, UnitSystem } from '../form.ts';
import { logSd, VARIATION } from '../variation.ts';
import { assessDiagnosis, type DiagnosisCase } from './assess.ts';
import { type DiagnosisPerson, type MeasuredResult, printedResult } from './task.ts';

const GROUPS = { normal: 28, prediabetes: 22, diabetes: 32, borderline: 18 } as const;
type Group = keyof typeof GROUPS;
type CountedTest = 'hba1c' | 'fpg' | 'ogtt_2h';
const COUNTED = ['hba1c', 'fpg', 'ogtt_2h'] as const;

/** The true value at rank u of a group: HbA1c in %, glucose in mg/dL. Gaps between the groups leave rows that are clear; no prevalence is meant. */
const TRUE_VALUE: Readonly<Record<Group, Readonly<Record<CountedTest, (u: number) => number>>>> = {
  normal: { hba1c: (u) => 4.7 + 0.7 * u, fpg: (u) => 76 + 16 * u, ogtt_2h: (u) => 68 + 42 * u },
  prediabetes: { hba1c: (u) => 5.97 + 0.25 * u, fpg: (u) => 109 + 6 * u, ogtt_2h: (u) => 148 + 42 * u },
  diabetes: {
    hba1c: (u) => 6.85 + 5 * u * u,
    fpg: (u) => 140 + 170 * u * u,
    ogtt_2h: (u) => 235 + 190 * u * u,
  },
  borderline: { hba1c: (u) => 5.45 + 1.3 * u, fpg: (u) => 93 + 42 * u, ogtt_2h: (u) => 115 + 110 * u },
};
const ONE_CLASS_AWAY = 0.06;
const NEXT_GROUP: Readonly<Record<Group, Group>> = {
  normal: 'prediabetes',
  prediabetes: 'diabetes',
  diabetes: 'prediabetes',
  borderline: 'borderline',
};

/** Rank correlations of the true values in NHANES, those of HbA1c with the OGTT by design. */
const FACTOR = cholesky([
  [1, 0.58, 0.45],
  [0.58, 1, 0.44],
  [0.45, 0.44, 1],
]);

/** Which tests were done. */
const TEST_SETS = {
  hba1c: 24,
  fpg: 13,
  'hba1c fpg': 29,
  'hba1c hba1c': 9,
  'fpg fpg': 6,
  'hba1c fpg ogtt_2h': 9,
  'fpg ogtt_2h': 5,
  random: 3,
  '': 2,
} as const;
const TESTS_OF = new Map(
  Object.keys(TEST_SETS).map((set) => [
    set,
    set.split(' ').filter((test) => test !== '') as MeasuredResult['test'][],
  ]),
);

/** Without a drug that lowers it, glucose stays above this, mg/dL. */
const LOWEST_GLUCOSE = 70;

const LOG_SD = {
  hba1c: logSd(VARIATION.hba1c),
  fpg: logSd(VARIATION.fpg),
  ogtt_2h: logSd(VARIATION.ogtt2h),
} as const;

/** Steroids and drugs are commoner where results are high: a record with two high results can be decided in spite of them. */
const CONTEXTS_BY_GROUP: Readonly<Record<'diabetes' | 'other', ContextWeights>> = {
  diabetes: {
    ...RED_CELL_CONTEXTS,
    unrelated: 26,
    haemoglobin_trait: 14,
    pregnancy: 1,
    acute_illness: 10,
    glucocorticoids: 10,
    glucose_lowering_drug: 10,
  },
  other: {
    ...RED_CELL_CONTEXTS,
    unrelated: 26,
    haemoglobin_trait: 15,
    pregnancy: 6,
    acute_illness: 3,
    glucocorticoids: 3,
    glucose_lowering_drug: 3,
  },
};

/** The people of a seed, without end. All depend on those before them; units change how values are printed and nothing else. */
export function diagnosisPatients(seed: number, units: UnitSystem | 'mixed') {
  return drawPatients(seed, 'diabetesDiagnosis', (random, person) => drawPatient(random, person, units));
}

/** A generated person with what is hidden: the worst category of the true values of the tests that were done; null without one. */
function drawPatient(
  random: Random,
  person: Person,
  asked: UnitSystem | 'mixed',
): DiagnosisPerson & { readonly trueCategory: GlycaemiaCategory | null } {
  const group = choose(random, GROUPS);
  const truth = trueValues(random, group);
  const units = drawUnits(random, asked);
  const hasDiabetes = group === 'diabetes';
  const acute = hasDiabetes && chance(random, 0.24) ? highGlucoseNow(random) : null;
  const classicSymptoms = chance(random, acute !== null ? 0.85 : hasDiabetes ? 0.16 : 0.04);
  const { context, words } = drawContext(
    random,
    person,
    CONTEXTS_BY_GROUP[hasDiabetes ? 'diabetes' : 'other'],
  );
  const tested = { truth, hasDiabetes, classicSymptoms, context, acute };
  let results = drawResults(random, tested);
  // Drawn once more where the verdict would depend on the units.
  if (acute === null && dependsOnUnits(results, tested)) results = drawResults(random, tested);
  return {
    ...drawShownPerson(random, person, { units, context, words, hba1c: truth.hba1c }),
    classicSymptoms,
    results,
    acute,
    trueCategory: trueCategory(truth, results),
  };
}

type Truth = Readonly<Record<CountedTest, number>>;

function trueValues(random: Random, group: Group): Truth {
  const e0 = normal(random);
  const e1 = normal(random);
  const e2 = normal(random);
  const [, second, third] = FACTOR;
  const z = {
    hba1c: e0,
    fpg: second![0]! * e0 + second![1]! * e1,
    ogtt_2h: third![0]! * e0 + third![1]! * e1 + third![2]! * e2,
  };
  const away = chance(random, ONE_CLASS_AWAY) ? COUNTED[random.integer(3)]! : null;
  const at = (test: CountedTest) =>
    TRUE_VALUE[test === away ? NEXT_GROUP[group] : group][test](normalCdf(z[test]));
  return { hba1c: at('hba1c'), fpg: at('fpg'), ogtt_2h: at('ogtt_2h') };
}

function trueCategory(truth: Truth, results: readonly MeasuredResult[]): GlycaemiaCategory | null {
  let worst = -1;
  for (const { test } of results) {
    if (test === 'random') continue;
    const key = test === 'hba1c' ? 'hba1cPercent' : test === 'fpg' ? 'fpgMgDl' : 'ogtt2hMgDl';
    worst = Math.max(worst, GLYCAEMIA_CATEGORIES.indexOf(glycaemiaCategory(key, truth[test])));
  }
  return GLYCAEMIA_CATEGORIES[worst] ?? null;
}

interface TestedPerson {
  readonly truth: Truth;
  readonly hasDiabetes: boolean;
  readonly classicSymptoms: boolean;
  readonly context: Context | null;
  readonly acute: MeasuredAcute | null;
}

function drawResults(random: Random, tested: TestedPerson): MeasuredResult[] {
  const { hasDiabetes, classicSymptoms, context, acute } = tested;
  const tests = [...TESTS_OF.get(choose(random, TEST_SETS))!];
  if (invalidatesHba1c(context))
    for (const test of ['fpg', 'ogtt_2h'] as const)
      if (chance(random, 0.5) && !tests.includes(test)) tests.push(test);
  if (hasDiabetes && (raisesGlucose(context) || context === 'glucose_lowering_drug') && chance(random, 0.6)) {
    while (tests.filter((test) => test === 'hba1c').length < 2) tests.push('hba1c');
  }
  if (classicSymptoms && acute === null && !tests.includes('random') && chance(random, 0.7))
    tests.push('random');
  const within = oldestWithin(context, 85);
  const results = tests.map((test) => measured(random, test, tested, within));
  const [only] = results;
  if (results.length === 1 && isInDiabetesRange(only!) && chance(random, 0.7))
    results.push(measured(random, only!.test, tested, within));
  separateDays(results, within);
  // What was measured in the emergency room is a glucose like any other.
  if (acute !== null)
    results.push({ test: 'random', value: acute.glucose, daysAgo: 0, fastingHours: null, meter: false });
  return results.sort((a, b) => b.daysAgo! - a.daysAgo!);
}

/** Two results of one test are not from the same days: the second is moved by a third of the time. */
function separateDays(results: MeasuredResult[], within: number): void {
  for (const [i, result] of results.entries()) {
    const earlier = results.slice(0, i).find(({ test }) => test === result.test);
    if (earlier === undefined) continue;
    const daysAgo = 1 + ((earlier.daysAgo! - 1 + Math.ceil(within / 3) + (result.daysAgo! % 5)) % within);
    results[i] = { ...result, daysAgo };
  }
}

function isInDiabetesRange({ test, value }: MeasuredResult): boolean {
  return test === 'hba1c' ? value >= 6.5 : test === 'fpg' ? value >= 126 : test === 'ogtt_2h' && value >= 200;
}

function measured(
  random: Random,
  test: MeasuredResult['test'],
  { truth, hasDiabetes }: TestedPerson,
  within: number,
): MeasuredResult {
  const daysAgo = 1 + random.integer(within);
  if (test === 'hba1c') {
    const value = truth.hba1c * Math.exp(LOG_SD.hba1c * normal(random));
    return { test, value, daysAgo, fastingHours: null, meter: false };
  }
  const meter = chance(random, 0.03);
  if (test === 'random') {
    const afterMeals = hasDiabetes ? uniform(random, 1.05, 1.8) : uniform(random, 0.95, 1.35);
    return { test, value: truth.fpg * afterMeals, daysAgo, fastingHours: null, meter };
  }
  const value = Math.max(LOWEST_GLUCOSE, truth[test] * Math.exp(LOG_SD[test] * normal(random)));
  if (test === 'ogtt_2h') return { test, value, daysAgo, fastingHours: null, meter };
  const isShort = chance(random, 0.06);
  const isStated = chance(random, 0.85);
  const hours = isShort ? 2 + random.integer(5) : 8 + random.integer(7);
  return { test, value, daysAgo, fastingHours: isShort || isStated ? hours : null, meter };
}

/** Whether results of a person without acute values would get another verdict if they were printed in other units: 0.1 mmol/L and 1 mmol/mol are coarser steps than 1 mg/dL and 0.1 %. */
function dependsOnUnits(
  results: readonly MeasuredResult[],
  known: Pick<DiagnosisCase, 'context' | 'classicSymptoms'>,
): boolean {
  const verdictIn = (units: UnitSystem) =>
    assessDiagnosis({
      ...known,
      acute: null,
      results: results.map((result) => printedResult(result, units)),
    });
  const [us, si] = [verdictIn('us'), verdictIn('si')];
  return us.answer !== si.answer || us.shouldAbstain !== si.shouldAbstain || us.reasons[0] !== si.reasons[0];
}
