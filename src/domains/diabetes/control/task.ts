import type { Features } from '../../../suites/task.ts';
import { CONTROL_REASONS } from '../reasons.ts';
import { hasContextLine } from '../shown.ts';
import { CRISIS_RULE, type DiabetesTask, diabetesTask, HBA1C_NOT_VALID_IN, variationRule } from '../task.ts';
import { assessControl, CONTROL_LABELS, type Control } from './assess.ts';
import { controlCase } from './features.ts';

const QUESTION =
  'The person has diabetes. Decide what the record of the last three months calls for first: hypoglycaemia, above_goal or at_goal.';
const NATURAL = `${QUESTION} Judge by the ADA Standards of Care.`;

const RULE = (deferAbove: number) =>
  [
    'Apply these rules in order; the first that fits decides.',
    "(1) hypoglycaemia: glucose now below 54 mg/dL (3.0 mmol/L) or another person's help needed now or in the last three months, a lowest glucose of the last three months below 54 mg/dL (3.0 mmol/L), or sensor data that count with 1 % or more of the time below 54 mg/dL (3.0 mmol/L), or 4 % or more below 70 mg/dL (3.9 mmol/L), 1 % for older or high-risk people.",
    `(2) above_goal: ketoacidosis or a hyperosmolar state now. ${CRISIS_RULE}`,
    '(3) Pregnancy: abstain.',
    `(4) HbA1c counts if it is at most 180 days old and treatment did not change in the 56 days before it, except in ${HBA1C_NOT_VALID_IN}. Sensor data count from 14 days with 70 % of the time active.`,
    '(5) Neither counts: abstain.',
    '(6) HbA1c is above goal from the goal on. Time in range is at goal above 70 % for a goal of 7.0 % (53 mmol/mol) and above 50 % for a goal of 8.0 % (64 mmol/mol). Where both count and disagree: abstain.',
    variationRule(
      'In rule 6: HbA1c varies around the true value by a CV of 2.6 %, time in range by 5 points; where both agree the surer one decides.',
      deferAbove,
    ),
  ].join(' ');

export function controlTask(deferAbove: number): DiabetesTask {
  return diabetesTask({
    name: 'control',
    labels: CONTROL_LABELS,
    ordered: false,
    question: NATURAL,
    rule: RULE(deferAbove),
    reasons: CONTROL_REASONS,
    stratum: { key: 'goal', label: 'goal' },
    assess: (features) => assessControl(controlCase(features), deferAbove),
    acute: (features) => controlCase(features).acute,
    fallback: againstGoal,
    oneLook: {
      answer: againstGoal,
      shouldDefer: (features) => hasContextLine(features) || againstGoal(features) === null,
    },
  });
}

/** HbA1c against the goal, valid or not. */
function againstGoal(features: Features): Control | null {
  const { hba1cPercent, goalPercent } = controlCase(features);
  if (hba1cPercent === null) return null;
  return hba1cPercent >= goalPercent ? 'above_goal' : 'at_goal';
}
