import { normalCdf } from '../../../statistics/index.ts';
import { type CreatinineReading, ckdEpi2021, creatinineForEgfr, type Sex } from './ckd-epi.ts';
import { type CreatinineVariation, logCreatinineSd } from './variation.ts';

/**
 * The probability that the person's true eGFR lies below `edge`, given one creatinine: true log creatinine is normal around the observed one. Null where CKD-EPI
 * gives no estimate.
 *
 * @example
 * ```ts
 * Math.round(chanceBelow({ creatinineMgDl: 1.2, age: 60, sex: 'female' }, 60)! * 100) / 100 // => 0.99
 * chanceBelow({ creatinineMgDl: null, age: 60, sex: 'female' }, 60) // => null
 * ```
 */
export function chanceBelow(reading: CreatinineReading & CreatinineVariation, edge: number): number | null {
  const egfr = ckdEpi2021(reading);
  if (egfr === null) return null;
  const sd = logCreatinineSd(reading);
  if (sd === 0) return egfr < edge ? 1 : 0;
  const { creatinineMgDl, age, sex } = reading as { creatinineMgDl: number; age: number; sex: Sex };
  const atEdge = creatinineForEgfr({ egfr: edge, age, sex })!;
  return normalCdf(Math.log(creatinineMgDl / atEdge) / sd);
}

/**
 * The probability that the true eGFR lies in another of the intervals that `edges` (falling) cut, than the observed one. With all five edges this is the flip
 * probability of the G category; a task with coarser stages passes only its own edges.
 *
 * @example
 * ```ts
 * // 1.0 mg/dL at 60, female: eGFR 64.5, near 60
 * Math.round(chanceOfOtherInterval({ creatinineMgDl: 1, age: 60, sex: 'female' }, [90, 60, 30, 15])! * 1000) / 1000 // => 0.12
 * ```
 */
export function chanceOfOtherInterval(
  reading: CreatinineReading & CreatinineVariation,
  edges: readonly number[],
): number | null {
  const egfr = ckdEpi2021(reading);
  if (egfr === null) return null;
  const lower = edges.find((edge) => egfr >= edge);
  const upper = edges.findLast((edge) => egfr < edge);
  const below = lower === undefined ? 0 : chanceBelow(reading, lower)!;
  const above = upper === undefined ? 0 : 1 - chanceBelow(reading, upper)!;
  return below + above;
}
