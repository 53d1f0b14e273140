import type { Label } from '../../../core/label.ts';
import { answered, noAnswer, type Verdict } from '../../cohort/verdict.ts';
import { type CkdCase, egfrObstacles } from '../case.ts';
import { ckdEpi2021 } from '../equations/ckd-epi.ts';
import { FIVE_STAGES, fiveStage, gCategory } from '../equations/kdigo.ts';
import { chanceOfOtherInterval } from '../equations/variation.ts';

/** Stages 1 to 5, or six with 3a and 3b apart. */
export type StageScale = 'five' | 'six';

const EDGES: Record<StageScale, readonly number[]> = { five: [90, 60, 30, 15], six: [90, 60, 45, 30, 15] };

/** G1 and G2 share a colour in every albuminuria column of the KDIGO map: which of the two is recorded decides nothing. */
const DECIDES_NOTHING = 90;
const decisive = (edges: readonly number[]) => edges.filter((edge) => edge !== DECIDES_NOTHING);
const DECISIVE_EDGES = { five: decisive(EDGES.five), six: decisive(EDGES.six) };

export const STAGE_LABELS: Record<StageScale, readonly Label[]> = {
  five: FIVE_STAGES,
  six: [1, 2, '3a', '3b', 4, 5],
};

/**
 * The GFR category to record for this person: eGFR by CKD-EPI 2021, KDIGO categories. The flip probability counts only the edges of the scale in use; the decisive one
 * leaves out 90, which changes neither diagnosis nor risk. People to whom the equation does not apply, and missing data, support no answer.
 *
 * @example
 * ```ts
 * const woman = { age: 70, sex: 'female', acrMgPerG: null, dipstick: null, potassium: null, sodium: null, haemoglobin: null, context: null, visits: [] } as const;
 * assessStage({ ...woman, creatinineMgDl: 2 }, 'five').answer // => 4
 * assessStage({ ...woman, creatinineMgDl: 1.3 }, 'six').answer // => '3b'
 * assessStage({ ...woman, creatinineMgDl: null }, 'five').reasons // => ['missing_creatinine']
 * ```
 */
export function assessStage(given: CkdCase, scale: StageScale, deferAbove?: number): Verdict {
  const obstacles = egfrObstacles(given);
  if (obstacles.length > 0) return noAnswer(...obstacles);
  return answered(assignStage(ckdEpi2021(given)!, scale), chanceOfOtherInterval(given, EDGES[scale])!, {
    near: 'near_stage_threshold',
    decisiveFlip: chanceOfOtherInterval(given, DECISIVE_EDGES[scale])!,
    deferAbove,
  });
}

/** The stage of an eGFR. */
export function assignStage(egfr: number, scale: StageScale): Label {
  const g = gCategory(egfr);
  if (scale === 'six' && (g === 'G3a' || g === 'G3b')) return g === 'G3a' ? '3a' : '3b';
  return fiveStage(g);
}
