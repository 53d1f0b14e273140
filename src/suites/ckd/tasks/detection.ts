import { normalCdf } from '../../../statistics/index.ts';
import type { Assessment, CkdCase } from '../case.ts';
import { ckdEpi2021 } from '../equations/ckd-epi.ts';
import { ACR_LOG_SD, chanceBelow } from '../equations/variation.ts';
import { egfrObstacles } from './validity.ts';

export type Detection = 'present' | 'absent';

/** KDIGO's two lines: GFR below 60, or albuminuria from 30 mg/g. */
const GFR_LINE = 60;
const ACR_LINE = 30;
/** How doubtful a dipstick of 1 is: in the grey zone, a design choice. */
const STRIP_OF_ONE = 0.1;
/** In these states creatinine says nothing about GFR, but albuminuria is a marker of damage all the same. */
const ALBUMINURIA_COUNTS: readonly string[] = ['child', 'extreme_muscle_mass', 'amputation'];

/**
 * CKD by the CGA definition, chronicity given: eGFR below 60, or ACR of 30 mg/g or more. One of the two settles a "present"; both are needed for an "absent".
 * Dialysis is CKD. In children, and where muscle mass is far from usual, only ACR counts. The flip probability is the chance that the true values say the opposite, with P(present) = 1 - P(GFR >= 60) P(ACR < 30).
 *
 * @example
 * ```ts
 * const man = { age: 50, sex: 'male', dipstick: null, potassium: null, sodium: null, haemoglobin: null, context: null, visits: [] } as const;
 * assessDetection({ ...man, creatinineMgDl: 0.9, acrMgPerG: 300 }).answer // => 'present'
 * assessDetection({ ...man, creatinineMgDl: 0.9, acrMgPerG: 5 }).answer // => 'absent'
 * assessDetection({ ...man, creatinineMgDl: 0.9, acrMgPerG: null }).mustDefer // => ['missing_acr']
 * assessDetection({ ...man, creatinineMgDl: null, acrMgPerG: 300 }).answer // => 'present'
 * ```
 */
export function assessDetection(given: CkdCase): Assessment<Detection> {
  if (given.context === 'dialysis') return assessed('present', 0, []);
  const obstacles = egfrObstacles(given);
  const byAcr = given.acrMgPerG === null ? null : given.acrMgPerG >= ACR_LINE;
  const invalid = obstacles.filter((reason) => !reason.startsWith('missing_'));
  if (invalid.some((reason) => !ALBUMINURIA_COUNTS.includes(reason))) return assessed(null, null, invalid);
  const byGfr = obstacles.length > 0 ? null : ckdEpi2021(given)! < GFR_LINE;
  if (byGfr || byAcr) return assessed('present', chanceAbsent(given, obstacles.length > 0), []);
  const missing = [...obstacles, ...(byAcr === null ? ['missing_acr'] : [])];
  if (missing.length > 0) return assessed(null, null, missing);
  // Red cells in urine can be a marker of damage by themselves, or come from elsewhere: the record does not say.
  if (given.urineRedCells) return assessed(null, null, ['unexplained_urine_red_cells']);
  return assessed('absent', 1 - chanceAbsent(given, false), []);
}

/** P(GFR >= 60) P(ACR < 30); a part that is not there cannot speak for "absent". */
function chanceAbsent(given: CkdCase, gfrUnknown: boolean): number {
  const gfrFine = gfrUnknown ? 1 : 1 - chanceBelow(given, GFR_LINE)!;
  const acrFine =
    given.acrMgPerG === null
      ? 1
      : normalCdf(Math.log(ACR_LINE / Math.max(given.acrMgPerG, 0.1)) / ACR_LOG_SD);
  return gfrFine * acrFine;
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
 * assessUciDetection({ ...man, creatinineMgDl: 1, dipstick: null }).mustDefer // => ['missing_albumin']
 * ```
 */
export function assessUciDetection(given: CkdCase): Assessment<Detection> {
  const { acrMgPerG: acr, dipstick } = given;
  const obstacles = egfrObstacles(given);
  const byGfr = obstacles.length > 0 ? null : ckdEpi2021(given)! < GFR_LINE;
  const byAlbumin = acr !== null ? acr >= ACR_LINE : dipstick === null ? null : dipstick >= 1;
  const absent = chanceAbsent(given, byGfr === null);
  if (byGfr || byAlbumin) {
    const byStrip = acr === null && byAlbumin === true;
    // A strip of 1 is only about what an ACR of 30 would be.
    const stripInDoubt = byStrip && !byGfr && dipstick === 1;
    return assessed('present', stripInDoubt ? STRIP_OF_ONE : byStrip ? 0 : absent, []);
  }
  const missing = [...obstacles, ...(byAlbumin === null ? ['missing_albumin'] : [])];
  return missing.length > 0 ? assessed(null, null, missing) : assessed('absent', 1 - absent, []);
}

function assessed(
  answer: Detection | null,
  flipProbability: number | null,
  mustDefer: readonly string[],
): Assessment<Detection> {
  return { answer, flipProbability, nearReason: 'near_definition_line', mustDefer };
}
