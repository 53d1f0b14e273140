import { answered, noAnswer, type Verdict } from '../../cohort/verdict.ts';
import { type CkdCase, egfrObstacles } from '../case.ts';
import { ckdEpi2021 } from '../equations/ckd-epi.ts';

/** KDIGO's two lines: GFR below 60, or albuminuria from 30 mg/g. */
const GFR_LINE = 60;
const ACR_LINE = 30;
/** How doubtful a dipstick of 1 is: in the grey zone, a design choice. */
const STRIP_OF_ONE = 0.1;
/** In these states creatinine says nothing about GFR, but albuminuria is a marker of damage all the same. */
const ALBUMINURIA_COUNTS: readonly string[] = ['child', 'extreme_muscle_mass', 'amputation'];

/**
 * CKD by the CGA definition, chronicity given: eGFR below 60, or ACR of 30 mg/g or more. One of the two settles a "present"; both are needed for an "absent".
 * Dialysis is CKD. In children, and where muscle mass is far from usual, only ACR counts. The question says that what is shown has been present for more than three months, so variation of
 * one sample is no doubt: where there is an answer, it is certain.
 *
 * @example
 * ```ts
 * const man = { age: 50, sex: 'male', dipstick: null, potassium: null, sodium: null, haemoglobin: null, context: null, visits: [] } as const;
 * assessDetection({ ...man, creatinineMgDl: 0.9, acrMgPerG: 300 }).answer // => 'present'
 * assessDetection({ ...man, creatinineMgDl: 0.9, acrMgPerG: 5 }).answer // => 'absent'
 * assessDetection({ ...man, creatinineMgDl: 0.9, acrMgPerG: null }).reasons // => ['missing_acr']
 * assessDetection({ ...man, creatinineMgDl: null, acrMgPerG: 300 }).answer // => 'present'
 * ```
 */
export function assessDetection(given: CkdCase): Verdict<'present' | 'absent'> {
  if (given.context === 'dialysis') return answered('present', 0);
  const obstacles = egfrObstacles(given);
  const byAcr = given.acrMgPerG === null ? null : given.acrMgPerG >= ACR_LINE;
  const invalid = obstacles.filter((reason) => !reason.startsWith('missing_'));
  if (invalid.some((reason) => !ALBUMINURIA_COUNTS.includes(reason))) return noAnswer(...invalid);
  const byGfr = obstacles.length > 0 ? null : ckdEpi2021(given)! < GFR_LINE;
  if (byGfr || byAcr) return answered('present', 0);
  const missing = [...obstacles, ...(byAcr === null ? ['missing_acr'] : [])];
  if (missing.length > 0) return noAnswer(...missing);
  // Red cells in urine can be a marker of damage by themselves, or come from elsewhere: the record does not say.
  if (given.urineRedCells) return noAnswer('unexplained_urine_red_cells');
  return answered('absent', 0);
}

/**
 * The same question on the UCI file, which has no ACR: what eGFR and the albumin dipstick support. Used for deferral labels and as the guideline baseline only;
 * the label is the file's own class. A dipstick of 1 or more counts as albuminuria, with the caveat that strips are approximate. Where a copy of the file has an ACR, it replaces
 * the strip.
 *
 * @example
 * ```ts
 * const man = { age: 50, sex: 'male', acrMgPerG: null, potassium: null, sodium: null, haemoglobin: null, context: null, visits: [] } as const;
 * assessUciDetection({ ...man, creatinineMgDl: 1, dipstick: 2 }).answer // => 'present'
 * assessUciDetection({ ...man, creatinineMgDl: 1, dipstick: null }).reasons // => ['missing_albumin']
 * ```
 */
export function assessUciDetection(given: CkdCase): Verdict<'present' | 'absent'> {
  const { acrMgPerG: acr, dipstick } = given;
  const obstacles = egfrObstacles(given);
  const byGfr = obstacles.length > 0 ? null : ckdEpi2021(given)! < GFR_LINE;
  const byAlbumin = acr !== null ? acr >= ACR_LINE : dipstick === null ? null : dipstick >= 1;
  // A strip of 1 is only about what an ACR of 30 would be.
  if (byGfr || byAlbumin)
    return answered('present', acr === null && !byGfr && dipstick === 1 ? STRIP_OF_ONE : 0);
  const missing = [...obstacles, ...(byAlbumin === null ? ['missing_albumin'] : [])];
  return missing.length > 0 ? noAnswer(...missing) : answered('absent', 0);
}
