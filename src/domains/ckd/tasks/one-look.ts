import type { Label } from '../../../core/index.ts';
import type { Features, Guideline } from '../../../suites/task.ts';
import type { CkdCase } from '../case.ts';
import { ADULT_AGE } from '../equations/ckd-epi.ts';
import { caseFromFeatures, hasContextLine } from '../features.ts';
import type { StageScale } from './staging.ts';

type CkdTaskName = 'detection' | 'staging' | 'progression';

/** What a glance takes for raised: creatinine in mg/dL, ACR in mg/g, and a creatinine that rose or fell by a fifth. */
const CREATININE_CUT = 1.2;
const ACR_CUT = 30;
const CHANGE_CUT = 1.2;
/** Creatinine (mg/dL) from which each stage after the first is guessed. */
const STAGE_CUTS: Record<StageScale, readonly (readonly [from: number, label: Label])[]> = {
  five: [
    [3.7, 5],
    [2, 4],
    [1.15, 3],
    [0.85, 2],
  ],
  six: [
    [3.7, 5],
    [2, 4],
    [1.5, '3b'],
    [1.15, '3a'],
    [0.85, 2],
  ],
};

/**
 * What deferring without reasoning earns: a reader who defers on any clinical context, on a child and on a missing critical value, and otherwise answers by a raw cut, without
 * the equation. Suites should leave a wide gap between this and the guideline.
 *
 * @example
 * ```ts
 * oneLook('detection', 'five').answer({ 'Serum creatinine (mg/dL)': 1.3, 'Urine albumin-creatinine ratio (mg/g)': 5 }) // => 'present'
 * oneLook('staging', 'five').shouldDefer({ 'Clinical context': 'hay fever every spring' }) // => true
 * ```
 */
export function oneLook(
  name: CkdTaskName,
  scale: StageScale,
  source: 'cohort' | 'uci' = 'cohort',
): Guideline {
  const critical = CRITICAL[name];
  const shouldDefer = (features: Features) => {
    const given = caseFromFeatures(features);
    const { age, sex } = given;
    return (
      hasContextLine(features) || age === null || age < ADULT_AGE || sex === null || critical(given, source)
    );
  };
  return { answer: (features) => ANSWERS[name](caseFromFeatures(features), scale), shouldDefer };
}

/** Whether a value is missing without which a glance has nothing to go by. */
const CRITICAL: Record<CkdTaskName, (given: CkdCase, source: 'cohort' | 'uci') => boolean> = {
  detection: ({ creatinineMgDl, acrMgPerG, dipstick }, source) =>
    creatinineMgDl === null || (acrMgPerG === null && (source === 'cohort' || dipstick === null)),
  staging: ({ creatinineMgDl }) => creatinineMgDl === null,
  progression: ({ visits }) => visits.some(({ creatinineMgDl }) => creatinineMgDl === null),
};

const ANSWERS: Record<CkdTaskName, (given: CkdCase, scale: StageScale) => Label | null> = {
  detection: ({ creatinineMgDl, acrMgPerG, dipstick }) => {
    const albumin = acrMgPerG === null ? (dipstick ?? 0) >= 1 : acrMgPerG >= ACR_CUT;
    return albumin || (creatinineMgDl ?? 0) >= CREATININE_CUT ? 'present' : 'absent';
  },
  staging: ({ creatinineMgDl }, scale) =>
    creatinineMgDl === null ? null : (STAGE_CUTS[scale].find(([from]) => creatinineMgDl >= from)?.[1] ?? 1),
  progression: ({ visits }) => {
    const measured = visits.flatMap(({ creatinineMgDl }) => creatinineMgDl ?? []);
    if (measured.length < 2) return null;
    const ratio = measured.at(-1)! / measured[0]!;
    return ratio >= CHANGE_CUT ? 'worsening' : ratio <= 1 / CHANGE_CUT ? 'improving' : 'stable';
  },
};
