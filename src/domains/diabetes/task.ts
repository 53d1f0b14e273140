import { type AcuteValues, acuteReasons } from './acute.ts';

export const GUIDELINE = 'ADA Standards of Care';

/** Why the acute measurements shown need action today. */
export function acuteMustAct({ acute }: { readonly acute: AcuteValues | null }): readonly string[] {
  return acute === null ? [] : acuteReasons(acute);
}

/** What no HbA1c can be read in, as the rules name it. */
export const HBA1C_NOT_VALID_IN =
  'sickle cell disease, G6PD deficiency, haemolysis, recent transfusion or blood loss, erythropoietin, haemodialysis, iron-deficiency anaemia, HIV under treatment, pregnancy and the weeks after birth (a trait that does not affect the method does not matter)';

export const CRISIS_RULE =
  'Ketoacidosis is glucose of 200 mg/dL (11.1 mmol/L) or more or known diabetes, with beta-hydroxybutyrate of 3.0 mmol/L or more and pH below 7.30 or bicarbonate below 18 mmol/L (suspected where neither was measured); the hyperosmolar state is glucose of 600 mg/dL (33.3 mmol/L) or more with 2 x sodium + glucose in mmol/L above 300, ketones below that line, pH of 7.30 or more and bicarbonate of 15 or more.';
