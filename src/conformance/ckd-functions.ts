import { snakeKeys } from '../core/codec.ts';
import { ckdEpi2021, type Sex, umolToMgDl } from '../domains/ckd/equations/ckd-epi.ts';
import {
  A_CATEGORIES,
  aCategoryFromMgPerG,
  aCategoryFromMgPerMmol,
  fiveStage,
  G_CATEGORIES,
  gCategory,
  RISK_MAP,
  riskCell,
} from '../domains/ckd/equations/kdigo.ts';
import { kdigoProgression, progressionNearLine } from '../domains/ckd/equations/progression.ts';
import { categoryFlipProbability } from '../domains/ckd/equations/variation.ts';
import {
  type ClinicalFunctions,
  eitherOf,
  elementwise,
  ifMeasured,
  numberOrNull,
  oneOf,
} from './case-inputs.ts';

/** The CKD equations and KDIGO rules under their conformance names. */
export const CKD_FUNCTIONS: ClinicalFunctions = {
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
    elementwise(inputs, ['g_category'], (one) =>
      ifMeasured(oneOf(one, 'g_category', G_CATEGORIES), fiveStage),
    ),

  kdigo_progression: (inputs) =>
    elementwise(inputs, ['egfr_baseline', 'egfr_current', 'years'], (one) => {
      const egfrBaseline = numberOrNull(one, 'egfr_baseline');
      const egfrCurrent = numberOrNull(one, 'egfr_current');
      if (egfrBaseline === null || egfrCurrent === null) return null;
      // Without a time the change is still known; its speed is not.
      return snakeKeys(
        kdigoProgression({ egfrBaseline, egfrCurrent, years: numberOrNull(one, 'years') ?? 0 }),
      );
    }),

  progression_near_line: (inputs) =>
    elementwise(inputs, ['relative_change', 'slope'], (one) =>
      snakeKeys(
        progressionNearLine({
          relativeChange: numberOrNull(one, 'relative_change'),
          slope: numberOrNull(one, 'slope'),
        }),
      ),
    ),

  ckd_category_flip_probability: (inputs, params) =>
    elementwise(inputs, ['creatinine_mg_dl', 'creatinine_umol_l', 'age', 'sex'], (one) => {
      const cvWithinPerson = numberOrNull(params, 'cv_within_person');
      const cvAnalytical = numberOrNull(params, 'cv_analytical');
      const flip = categoryFlipProbability({
        ...reading(one),
        ...(cvWithinPerson === null ? {} : { cvWithinPerson }),
        ...(cvAnalytical === null ? {} : { cvAnalytical }),
      });
      return flip && snakeKeys(flip);
    }),
};

function reading(one: Readonly<Record<string, unknown>>) {
  const [mgDl, umol] = eitherOf(one, 'creatinine_mg_dl', 'creatinine_umol_l');
  return {
    creatinineMgDl: mgDl ?? ifMeasured(umol, umolToMgDl),
    age: numberOrNull(one, 'age'),
    sex: sexOf(one.sex),
  };
}

/** The equation knows two sexes; any other value gives no estimate. */
function sexOf(value: unknown): Sex | null {
  const word = typeof value === 'string' ? value.trim().toLowerCase() : '';
  if (word === 'f' || word === 'female') return 'female';
  return word === 'm' || word === 'male' ? 'male' : null;
}
