import { clinicalError } from '../domains/clinical-error.ts';
import { elementwise, ifMeasured, numberOrNull, numbers } from '../domains/conformance-inputs.ts';
import type { Domain } from '../domains/domain.ts';
import { diabetesConfirmed, GLYCAEMIA_CATEGORIES, glycaemiaCategory } from './ada.ts';

/** Diabetes: the ADA's criteria as functions; it has no suite yet. */
export const DIABETES: Domain = {
  name: 'diabetes',
  functions: {
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
        throw clinicalError(
          `classic_symptoms is ${JSON.stringify(symptoms)}; expected true or false`,
          symptoms,
        );
      }
      return diabetesConfirmed({
        hba1cPercent: numbers(inputs, 'hba1c_percent'),
        fpgMgDl: numbers(inputs, 'fpg_mg_dl'),
        ogtt2hMgDl: numbers(inputs, 'ogtt_2h_mg_dl'),
        randomMgDl: numbers(inputs, 'random_mg_dl'),
        classicSymptoms: symptoms,
      });
    },
  },
};
