import { clinicalError } from '../domain.ts';

/** What the base PREVENT model takes. Cholesterol in mg/dL, eGFR in mL/min/1.73 m2. */
export interface PreventInput {
  readonly sex: 'female' | 'male';
  readonly age: number;
  readonly totalCholesterolMgDl: number;
  readonly hdlMgDl: number;
  readonly sbp: number;
  readonly egfr: number;
  readonly bpTreated: boolean;
  readonly statin: boolean;
  readonly diabetes: boolean;
  readonly smoker: boolean;
}

export const PREVENT_AGES = { from: 30, to: 79 } as const;
const MMOL_PER_MG_DL = 0.02586;

/** In the order 1, a, n, h, s1, s2, d, m, e1, e2, t, st, t s2, st n, a n, a h, a s2, a d, a m, a e1. */
const COEFFICIENTS = {
  female: [
    -3.307728, 0.7939329, 0.0305239, -0.1606857, -0.2394003, 0.360078, 0.8667604, 0.5360739, 0.6045917,
    0.0433769, 0.3151672, -0.1477655, -0.0663612, 0.1197879, -0.0819715, 0.0306769, -0.0946348, -0.27057,
    -0.078715, -0.1637806,
  ],
  male: [
    -3.031168, 0.7688528, 0.0736174, -0.0954431, -0.4347345, 0.3362658, 0.7692857, 0.4386871, 0.5378979,
    0.0164827, 0.288879, -0.1337349, -0.0475924, 0.150273, -0.0517874, 0.0191169, -0.1049477, -0.2251948,
    -0.0895067, -0.1543702,
  ],
} as const;

/**
 * The 10-year risk of cardiovascular disease in percent, by the base model of the PREVENT equations (Khan et al., Circulation 2024;149:430). Null outside 30 to 79 years. The model is for people without
 * known cardiovascular disease.
 *
 * @example
 * ```ts
 * const woman = { sex: 'female', age: 50, totalCholesterolMgDl: 200, hdlMgDl: 45, sbp: 160, egfr: 90, bpTreated: true, statin: false, diabetes: true, smoker: false } as const;
 * Math.round(preventTotalCvd(woman)! * 10) / 10 // => 14.7
 * preventTotalCvd({ ...woman, age: 80 }) // => null
 * ```
 */
export function preventTotalCvd(input: PreventInput): number | null {
  const { sex, age, totalCholesterolMgDl, hdlMgDl, sbp, egfr } = input;
  if (!(totalCholesterolMgDl > 0 && hdlMgDl > 0 && sbp > 0 && egfr > 0))
    throw clinicalError('PREVENT needs cholesterol, HDL, systolic pressure and eGFR above 0', input);
  if (!(age >= PREVENT_AGES.from && age <= PREVENT_AGES.to)) return null;
  const a = (age - 55) / 10;
  const n = (totalCholesterolMgDl - hdlMgDl) * MMOL_PER_MG_DL - 3.5;
  const h = (hdlMgDl * MMOL_PER_MG_DL - 1.3) / 0.3;
  const s1 = (Math.min(sbp, 110) - 110) / 20;
  const s2 = (Math.max(sbp, 110) - 130) / 20;
  const e1 = (Math.min(egfr, 60) - 60) / -15;
  const e2 = (Math.max(egfr, 60) - 90) / -15;
  const [d, m, t, st] = [input.diabetes, input.smoker, input.bpTreated, input.statin].map(Number) as [
    number,
    number,
    number,
    number,
  ];
  const terms = [
    1,
    a,
    n,
    h,
    s1,
    s2,
    d,
    m,
    e1,
    e2,
    t,
    st,
    t * s2,
    st * n,
    a * n,
    a * h,
    a * s2,
    a * d,
    a * m,
    a * e1,
  ];
  const coefficients = COEFFICIENTS[sex];
  let y = 0;
  for (let i = 0; i < terms.length; i++) y += coefficients[i]! * terms[i]!;
  return 100 / (1 + Math.exp(-y));
}
