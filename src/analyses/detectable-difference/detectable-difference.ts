import { z } from 'zod';
import { count, type Shape } from '../../core/codec.ts';
import { minimumDetectableDifference } from '../../statistics/power.ts';

export const detectableDifferenceSchema = z.object({
  /** Independent records, or clusters of rows. */
  n: count,
  /** Chance of finding a difference of this size. */
  power: z.number(),
  /** The smallest difference in the share of right decisions, if the two models disagree on a share `discordant` of the records; null where none could be shown. */
  differences: z.array(z.object({ discordant: z.number(), difference: z.number().nullable() })),
});
/** What a paired comparison with so many records could have shown. */
export type DetectableDifference = Shape<typeof detectableDifferenceSchema>;

const POWER = 0.8;
/** How often two models of similar skill disagree; a comparison of two runs uses what it finds. */
const DISCORDANT = [0.1, 0.2];

/** What difference from another model so many records could have shown, before another model has been run. */
export function detectableDifference(n: number, level: number): DetectableDifference {
  return {
    n,
    power: POWER,
    differences: DISCORDANT.map((discordant) => ({
      discordant,
      difference: minimumDetectableDifference({
        n,
        discordantProportion: discordant,
        alpha: 1 - level,
        power: POWER,
      }),
    })),
  };
}
