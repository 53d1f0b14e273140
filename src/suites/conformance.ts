import { KrisisError } from '../core/index.ts';
import {
  A_CATEGORIES,
  aCategoryFromMgPerG,
  aCategoryFromMgPerMmol,
  categoryFlipProbability,
  ckdEpi2021,
  fiveStage,
  G_CATEGORIES,
  gCategory,
  kdigoProgression,
  RISK_MAP,
  riskCell,
  type Sex,
  umolToMgDl,
} from './ckd/index.ts';
import { eachPair, eitherOf, elementwise, numberOrNull, numbers, oneOf } from './conformance-inputs.ts';
import { diabetesConfirmed, GLYCAEMIA_CATEGORIES, glycaemiaCategory } from './diabetes/index.ts';
import { accAha2017, esc2024 } from './hypertension/index.ts';

type Inputs = Record<string, unknown>;
type SuiteFunction = (inputs: Inputs, params: Inputs) => unknown;

/**
 * The clinical functions under the names and shapes of the conformance format: snake_case, a list for a list and a
 * single value for a single value. What lacks an input is null; what cannot be an input is refused.
 *
 * @example
 * ```ts
 * suiteFunctions.kdigo_g_category({ egfr: [90, 89.6] }, {}) // => ['G1', 'G2']
 * suiteFunctions.kdigo_g_category({ egfr: 14 }, {}) // => 'G5'
 * suiteFunctions.ckd_epi_2021({ creatinine_umol_l: 0.9 * 88.4, age: 18, sex: 'male' }, {}) // => 142 * 0.9938 ** 18
 * ```
 */
export const suiteFunctions: Record<string, SuiteFunction> = {
  ckd_epi_2021: (inputs) =>
    elementwise(inputs, ['creatinine_mg_dl', 'creatinine_umol_l', 'age', 'sex'], (one) =>
      ckdEpi2021(reading(one)),
    ),

  kdigo_g_category: (inputs) =>
    elementwise(inputs, ['egfr'], (one) => ifMeasured(numberOrNull(one, 'egfr'), gCategory)),

  kdigo_a_category: (inputs) =>
    elementwise(inputs, ['acr_mg_per_g', 'acr_mg_per_mmol'], (one) => {
      const [perG, perMmol] = eitherOf(one, 'acr_mg_per_g', 'acr_mg_per_mmol');
      return ifMeasured(perG, aCategoryFromMgPerG) ?? ifMeasured(perMmol, aCategoryFromMgPerMmol);
    }),

  kdigo_risk: (inputs) =>
    inputs.g_category === undefined && inputs.a_category === undefined
      ? RISK_MAP
      : elementwise(inputs, ['g_category', 'a_category'], (one) => {
          const g = oneOf(one, 'g_category', G_CATEGORIES);
          const a = oneOf(one, 'a_category', A_CATEGORIES);
          return g === null || a === null ? null : riskCell(g, a);
        }),

  kdigo_five_stage: (inputs) =>
    elementwise(inputs, ['g_category'], (one) => {
      const g = oneOf(one, 'g_category', G_CATEGORIES);
      return g === null ? null : fiveStage(g);
    }),

  kdigo_progression: (inputs) =>
    elementwise(inputs, ['egfr_baseline', 'egfr_current', 'years'], (one) => {
      const egfrBaseline = numberOrNull(one, 'egfr_baseline');
      const egfrCurrent = numberOrNull(one, 'egfr_current');
      if (egfrBaseline === null || egfrCurrent === null) return null;
      // Without a time the change is still known; its speed is not.
      const change = kdigoProgression({ egfrBaseline, egfrCurrent, years: numberOrNull(one, 'years') ?? 0 });
      return {
        category_drop: change.categoryDrop,
        relative_decline: change.relativeDecline,
        certain_drop: change.certainDrop,
        annual_decline: change.annualDecline,
        rapid_progression: change.rapidProgression,
        exceeds_expected_variability: change.exceedsExpectedVariability,
      };
    }),

  ckd_category_flip_probability: (inputs, params) =>
    elementwise(inputs, ['creatinine_mg_dl', 'creatinine_umol_l', 'age', 'sex'], (one) => {
      const cvWithinPerson = numberOrNull(params, 'cv_within_person');
      const cvAnalytical = numberOrNull(params, 'cv_analytical');
      const flip = categoryFlipProbability({
        ...reading(one),
        ...(cvWithinPerson === null ? {} : { cvWithinPerson }),
        ...(cvAnalytical === null ? {} : { cvAnalytical }),
      });
      return flip && { egfr: flip.egfr, g_category: flip.gCategory, flip_probability: flip.flipProbability };
    }),

  // Several tests of one person: the worst category among them.
  ada_glycaemia_category: (inputs) =>
    elementwise(inputs, ['hba1c_percent', 'fpg_mg_dl', 'ogtt_2h_mg_dl'], (one) => {
      const found = [
        ifMeasured(numberOrNull(one, 'hba1c_percent'), (v) => glycaemiaCategory('hba1cPercent', v)),
        ifMeasured(numberOrNull(one, 'fpg_mg_dl'), (v) => glycaemiaCategory('fpgMgDl', v)),
        ifMeasured(numberOrNull(one, 'ogtt_2h_mg_dl'), (v) => glycaemiaCategory('ogtt2hMgDl', v)),
      ];
      return GLYCAEMIA_CATEGORIES.findLast((category) => found.includes(category)) ?? null;
    }),

  ada_diabetes_confirmed: (inputs) => {
    const symptoms = inputs.classic_symptoms ?? false;
    if (typeof symptoms !== 'boolean') {
      throw new KrisisError(`classic_symptoms is ${JSON.stringify(symptoms)}; expected true or false`, {
        value: symptoms,
      });
    }
    return diabetesConfirmed({
      hba1cPercent: numbers(inputs, 'hba1c_percent'),
      fpgMgDl: numbers(inputs, 'fpg_mg_dl'),
      ogtt2hMgDl: numbers(inputs, 'ogtt_2h_mg_dl'),
      randomMgDl: numbers(inputs, 'random_mg_dl'),
      classicSymptoms: symptoms,
    });
  },

  acc_aha_2017_category: (inputs) => eachPair(inputs, 'bp', accAha2017),
  esc_2024_category: (inputs) => eachPair(inputs, 'bp', esc2024),
};

function reading(one: Inputs) {
  const [mgDl, umol] = eitherOf(one, 'creatinine_mg_dl', 'creatinine_umol_l');
  return {
    creatinineMgDl: mgDl ?? ifMeasured(umol, umolToMgDl),
    age: numberOrNull(one, 'age'),
    sex: sexOf(one.sex),
  };
}

/** A sex the equation does not know gives no estimate. */
function sexOf(value: unknown): Sex | null {
  const word = typeof value === 'string' ? value.trim().toLowerCase() : '';
  if (word === 'f' || word === 'female') return 'female';
  return word === 'm' || word === 'male' ? 'male' : null;
}

function ifMeasured<T>(value: number | null, derive: (value: number) => T): T | null {
  return value === null ? null : derive(value);
}
