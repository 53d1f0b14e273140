import type { Random } from '../../statistics/index.ts';
import { chance } from '../cohort/distributions.ts';
import type { UnitSystem } from './shown.ts';

/** How many records of a mixed cohort are in SI units. */
const SI_SHARE = 0.35;

/** The units of a record. Takes its draw whatever is asked for, so that the same people come in any units. */
export function drawUnits(random: Random, asked: UnitSystem | 'mixed'): UnitSystem {
  const isSi = chance(random, SI_SHARE);
  return asked === 'mixed' ? (isSi ? 'si' : 'us') : asked;
}
