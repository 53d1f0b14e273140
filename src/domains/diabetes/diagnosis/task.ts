import type { Label } from '../../../core/index.ts';
import type { Features } from '../../../suites/task.ts';
import { GLYCAEMIA_CATEGORIES, type GlycaemiaCategory } from '../ada.ts';
import { DIAGNOSIS_REASONS } from '../reasons.ts';
import { hasContextLine } from '../shown.ts';
import {
  CRISIS_RULE,
  type DiabetesTask,
  diabetesTask,
  GUIDELINE,
  HBA1C_NOT_VALID_IN,
  variationRule,
} from '../task.ts';
import { assessDiagnosis, categoryOf } from './assess.ts';
import { diagnosisCase } from './features.ts';

const QUESTION = `State what these results show by the criteria of the ${GUIDELINE}: normal, prediabetes or diabetes. The person is an adult and has no diagnosis of diabetes so far. All results are from the last three months.`;

const RULE = (deferAbove: number) =>
  [
    'Apply these rules in order; the first that fits decides.',
    `(1) Ketoacidosis or a hyperosmolar state in the acute measurements: diabetes. ${CRISIS_RULE}`,
    '(2) Pregnancy: abstain.',
    '(3) Classic symptoms (thirst, passing much urine, unexplained weight loss) with a random or fasting laboratory glucose of 200 mg/dL (11.1 mmol/L) or more: diabetes.',
    `(4) From here on these results count: HbA1c except in ${HBA1C_NOT_VALID_IN}; fasting glucose after 8 hours or more (taken as fasting where no hours are stated) and 2-hour glucose, except in acute illness or on glucocorticoids. Random values, meter values and "fasting" values under 8 hours do not count.`,
    'The diabetes range is HbA1c 6.5 % (48 mmol/mol) or more, fasting glucose 126 mg/dL (7.0 mmol/L) or more, 2-hour glucose 200 mg/dL (11.1 mmol/L) or more; the prediabetes range below it begins at 5.7 % (39 mmol/mol), 100 mg/dL (5.6 mmol/L) and 140 mg/dL (7.8 mmol/L).',
    '(5) Two or more results in the diabetes range, of one test or of two: diabetes.',
    '(6) Exactly one: diabetes with classic symptoms, or where it is 9.0 % (75 mmol/mol), 200 mg/dL (11.1 mmol/L) fasting or 300 mg/dL (16.7 mmol/L) at 2 hours or more; otherwise abstain, since it needs confirmation.',
    '(7) No result counts: abstain.',
    '(8) On a glucose-lowering drug or on glucocorticoids: abstain. Acute illness does not make HbA1c unreliable.',
    '(9) Prediabetes if any result is in its range, otherwise normal.',
    variationRule(
      'In rule 9: a result varies around the true value by a CV of 2.6 % for HbA1c, 5.4 % for fasting glucose and 13.8 % for 2-hour glucose, less by the square root of their number where a test was repeated.',
      deferAbove,
    ),
  ].join(' ');

export function diagnosisTask(deferAbove: number): DiabetesTask {
  return diabetesTask({
    name: 'diagnosis',
    labels: GLYCAEMIA_CATEGORIES,
    ordered: true,
    pack: 'staging',
    question: QUESTION,
    rule: RULE(deferAbove),
    reasons: DIAGNOSIS_REASONS,
    stratum: { key: 'worst_result', label: 'worst result' },
    assess: (features) => assessDiagnosis(diagnosisCase(features), deferAbove),
    acute: (features) => diagnosisCase(features).acute,
    fallback: worstResult,
    oneLook: {
      answer: (features): Label | null => worstResult(features),
      shouldDefer: (features) => hasContextLine(features) || worstResult(features) === null,
    },
  });
}

/** The worst category of any result, valid or not: the trivial rule. Null where no result has a category. */
export function worstResult(features: Features): GlycaemiaCategory | null {
  let worst = -1;
  for (const result of diagnosisCase(features).results) {
    const category = categoryOf(result);
    if (category !== null) worst = Math.max(worst, GLYCAEMIA_CATEGORIES.indexOf(category));
  }
  return GLYCAEMIA_CATEGORIES[worst] ?? null;
}
