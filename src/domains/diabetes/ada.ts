import { clinicalError } from '../domain.ts';

export const GUIDELINE = 'ADA Standards of Care';

/** Glycaemia categories, mildest first. */
export const GLYCAEMIA_CATEGORIES = ['normal', 'prediabetes', 'diabetes'] as const;
export type GlycaemiaCategory = (typeof GLYCAEMIA_CATEGORIES)[number];

/** The tests that can place a person without symptoms. */
export type GlycaemiaTest =
  | 'hba1cPercent'
  | 'hba1cMmolMol'
  | 'fpgMgDl'
  | 'fpgMmolL'
  | 'ogtt2hMgDl'
  | 'ogtt2hMmolL';

/** Where prediabetes and diabetes begin. Each unit has its own lines, because the guideline rounds one to the other. */
export const GLYCAEMIA_CUTOFFS: Readonly<
  Record<GlycaemiaTest, { readonly prediabetes: number; readonly diabetes: number }>
> = {
  hba1cPercent: { prediabetes: 5.7, diabetes: 6.5 },
  hba1cMmolMol: { prediabetes: 39, diabetes: 48 },
  fpgMgDl: { prediabetes: 100, diabetes: 126 },
  fpgMmolL: { prediabetes: 5.6, diabetes: 7 },
  ogtt2hMgDl: { prediabetes: 140, diabetes: 200 },
  ogtt2hMmolL: { prediabetes: 7.8, diabetes: 11.1 },
};

/** A glucose at any time counts from here on, and only together with classic symptoms or a crisis. */
const ANY_TIME_CUTOFF = 200;

/**
 * The ADA category of one result. HbA1c in %: normal < 5.7, diabetes >= 6.5; fasting plasma glucose in mg/dL: < 100,
 * >= 126; two hours after 75 g of glucose: < 140, >= 200. Half-open on the unrounded value: an HbA1c of 6.49 is
 * prediabetes. Source: ADA Standards of Care.
 *
 * @example
 * ```ts
 * glycaemiaCategory('hba1cPercent', 6.49) // => 'prediabetes'
 * glycaemiaCategory('fpgMgDl', 126) // => 'diabetes'
 * ```
 */
export function glycaemiaCategory(test: GlycaemiaTest, value: number): GlycaemiaCategory {
  mustBeMeasured(value, test);
  const cutoffs = GLYCAEMIA_CUTOFFS[test];
  if (value < cutoffs.prediabetes) return 'normal';
  return value < cutoffs.diabetes ? 'prediabetes' : 'diabetes';
}

/**
 * Whether the diagnosis of diabetes holds without another test: two results in the diabetes range, of the same test
 * or of two; or classic symptoms with a random or fasting glucose of 200 mg/dL or more. A random glucose without symptoms counts
 * for nothing, and one abnormal result beside a normal one is discordant: repeat it. Source: ADA Standards of Care.
 *
 * @example
 * ```ts
 * diabetesConfirmed({ hba1cPercent: [6.6], fpgMgDl: [130] }) // => true
 * diabetesConfirmed({ hba1cPercent: [6.6, 6.3] }) // => false
 * diabetesConfirmed({ randomMgDl: [240], classicSymptoms: true }) // => true
 * ```
 */
export function diabetesConfirmed(
  results: Partial<Readonly<Record<GlycaemiaTest | 'randomMgDl', readonly number[]>>> & {
    /** Thirst, polyuria, weight loss, or a hyperglycaemic crisis. */
    readonly classicSymptoms?: boolean;
  },
): boolean {
  const { randomMgDl = [], fpgMgDl = [], classicSymptoms = false } = results;
  for (const value of randomMgDl) mustBeMeasured(value, 'randomMgDl');
  const tests = Object.keys(GLYCAEMIA_CUTOFFS) as GlycaemiaTest[];
  const categories = tests.flatMap((test) =>
    (results[test] ?? []).map((value) => glycaemiaCategory(test, value)),
  );
  if (categories.filter((category) => category === 'diabetes').length >= 2) return true;
  return classicSymptoms && [...randomMgDl, ...fpgMgDl].some((value) => value >= ANY_TIME_CUTOFF);
}

function mustBeMeasured(value: number, test: string): void {
  if (Number.isFinite(value) && value > 0) return;
  throw clinicalError(`${test} is ${value}; expected a number above 0`, value);
}
