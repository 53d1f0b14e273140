import type { Random } from '../../../statistics/index.ts';
import { chance } from '../../cohort/distributions.ts';
import type { Demographics } from './demographics.ts';
import data from './remarks.json' with { type: 'json' };

interface Remark {
  readonly text: string;
  readonly from?: number;
  readonly to?: number;
  readonly sex?: string;
}

const REMARKS: readonly Remark[] = data.remarks;

/**
 * Something that a chart may mention and that has no bearing on creatinine, GFR or albuminuria; for most people nothing. Without such lines, deferring on any clinical
 * context at all would pass for judgement. Takes the same number of draws for everybody.
 */
export function drawRemark(random: Random, { sex, age }: Pick<Demographics, 'sex' | 'age'>): string | null {
  const has = chance(random, data.share);
  const place = random.float();
  if (!has) return null;
  const fitting = REMARKS.filter(
    ({ from = 0, to = Infinity, sex: only = sex }) => age >= from && age <= to && only === sex,
  );
  return fitting[Math.floor(place * fitting.length)]!.text;
}
