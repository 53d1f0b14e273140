import type { Random } from '../../../statistics/random.ts';
import type { UciClass, UciFeature } from '../source/columns.ts';
import design from './design.json' with { type: 'json' };
import { PUBLISHED_MISSING, PUBLISHED_ROWS } from './published.ts';

/** `independent`: the same rates for everybody. `informative`: the rates of the source's class, which give it away. */
export const MISSINGNESS = ['independent', 'informative'] as const;
export type Missingness = (typeof MISSINGNESS)[number];

/**
 * The columns that come from one order form or one tube and go missing together, as they do in the source (where
 * sodium and potassium are missing in the same rows with phi 0.99, red cells and white cells with 0.85). Age is never
 * missing.
 */
export const MISSING_BLOCKS = design.missingBlocks as readonly (readonly UciFeature[])[];

/**
 * ACR is not in the source. Rates are ours: 18 %, since it is the test that is left out most often in practice; in the informative arm 22 % with CKD and 14 % without, as the source's
 * urine columns are missing more often with CKD.
 */
const ACR_MISSING = { independent: 0.18, ckd: 0.22, notckd: 0.14 } as const;

/** Of a block's rarest missing cell, the share of rows where the whole block is missing. */
const TOGETHER = 0.97;

/**
 * Draws which cells were not measured. A block is missing as a whole with probability b, 0.97 times its smallest
 * column rate; a column with rate r is missing alone with (r - b) / (1 - b), which makes r in all. Takes the same
 * number of draws for everybody, so that the two arms differ in nothing else.
 */
export function drawMissing(
  random: Random,
  missingness: Missingness,
  patientClass: UciClass,
): ReadonlySet<UciFeature | 'acr'> {
  const missing = new Set<UciFeature | 'acr'>();
  const of = missingness === 'independent' ? 'independent' : patientClass;
  for (const { together, columns } of BLOCK_RATES[of]) {
    const all = random.float() < together;
    for (const { column, alone } of columns) if (random.float() < alone || all) missing.add(column);
  }
  if (random.float() < ACR_MISSING[of]) missing.add('acr');
  return missing;
}

/** Of earlier visits, the share without a creatinine and without an ACR. Ours: follow-up visits are rarely complete. */
const MISSED_CREATININE = 0.18;
const MISSED_ACR = 0.12;

/**
 * Draws what was not taken at the visits before the index visit, independent of everything else: one entry per visit.
 */
export function drawMissedAtVisits(
  random: Random,
  visits: number,
): { readonly creatinine: boolean; readonly acr: boolean }[] {
  const missed = [];
  for (let visit = 0; visit < MAX_EARLIER_VISITS; visit++) {
    const creatinine = random.float() < MISSED_CREATININE;
    const acr = random.float() < MISSED_ACR;
    if (visit < visits) missed.push({ creatinine, acr });
  }
  return missed;
}

const MAX_EARLIER_VISITS = 7;

/**
 * The published rate of missing cells in a column, in one class or in both together.
 *
 * @example
 * ```ts
 * missingRate('sc', 'independent') // => 0.0425
 * missingRate('rbc', 'ckd') // => 0.572
 * ```
 */
export function missingRate(column: UciFeature, of: UciClass | 'independent'): number {
  const cells = PUBLISHED_MISSING[column];
  if (of !== 'independent') return cells[of] / PUBLISHED_ROWS[of];
  return (cells.ckd + cells.notckd) / (PUBLISHED_ROWS.ckd + PUBLISHED_ROWS.notckd);
}

const BLOCK_RATES = {
  independent: blockRates('independent'),
  ckd: blockRates('ckd'),
  notckd: blockRates('notckd'),
};

/** How often a whole block is missing, and each of its columns alone. */
function blockRates(of: UciClass | 'independent') {
  return MISSING_BLOCKS.map((block) => {
    const rates = block.map((column) => missingRate(column, of));
    const together = TOGETHER * Math.min(...rates);
    const columns = block.map((column, i) => ({ column, alone: (rates[i]! - together) / (1 - together) }));
    return { together, columns };
  });
}
