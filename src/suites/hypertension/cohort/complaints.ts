import type { Random } from '../../../statistics/index.ts';
import { chance, oneOf } from '../../cohort/distributions.ts';
import { ORGAN_DAMAGE, REMARKS, SYMPTOMS } from './phrases.ts';

/** A remark that decides nothing; null for most people. */
export function drawRemark(random: Random): string | null {
  return chance(random, 0.14) ? oneOf(random, REMARKS.unrelated) : null;
}

/** What a person complains of: organ damage only where the pressure is severe. */
export function drawSymptoms(random: Random, isSevere: boolean): string {
  if (isSevere && chance(random, 0.5)) return oneOf(random, ORGAN_DAMAGE);
  return chance(random, 0.25) ? oneOf(random, SYMPTOMS) : 'feels well';
}
