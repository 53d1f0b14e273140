import { clinicalError } from '../domains/clinical-error.ts';
import { elementwise, ifMeasured, numberOrNull, numbers } from '../domains/conformance-inputs.ts';
import type { Domain } from '../domains/domain.ts';
import { diabetesConfirmed, GLYCAEMIA_CATEGORIES, glycaemiaCategory } from './ada.ts';

/** The tests under their conformance names. */
const TESTS = { hba1c_percent: 'hba1cPercent', fpg_mg_dl: 'fpgMgDl', ogtt_2h_mg_dl: 'ogtt2hMgDl' } as const;

/** Diabetes: the ADA's criteria as functions; it has no suite yet. */
export const DIABETES: Domain = {
  name: 'diabetes',
  functions: {
    // Several tests of one person: the worst category among them.
    ada_glycaemia_category: (inputs) =>
      elementwise(inputs, Object.keys(TESTS), (one) => {
        const found = Object.entries(TESTS).map(([name, test]) =>
          ifMeasured(numberOrNull(one, name), (value) => glycaemiaCategory(test, value)),
        );
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
