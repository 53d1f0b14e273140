import type { Random } from '../../../statistics/index.ts';
import { chance, oneOf } from '../../cohort/distributions.ts';
import type { BpVisit } from '../office-average.ts';
import { ORGAN_DAMAGE, REMARKS, SYMPTOMS } from './phrases.ts';

/** A remark that decides nothing; null for most people. */
export function drawRemark(random: Random): string | null {
  return chance(random, 0.14) ? oneOf(random, REMARKS.unrelated) : null;
}

/** Of people with severe pressure, the share with acute organ damage. */
const DAMAGED = 0.72;

/** What a person complains of: organ damage only where the pressure shown is severe, since with less it would still need action today, by no rule of the suite. */
export function drawSymptoms(random: Random, isSevere: boolean): string {
  if (isSevere && chance(random, DAMAGED)) return oneOf(random, ORGAN_DAMAGE);
  return chance(random, 0.25) ? oneOf(random, SYMPTOMS) : 'feels well';
}

/** Whether every reading of the last visit is severe, so that its mean is by either guideline. */
export function isSurelySevere(visits: readonly BpVisit[]): boolean {
  return visits.at(-1)!.readings.every(([sbp]) => sbp > 180);
}
