import type { Random } from '../../statistics/index.ts';
import { choose } from '../cohort/distributions.ts';
import type { Context } from './contexts.ts';

const THERAPIES = {
  metformin: 30,
  'metformin and a sulfonylurea': 18,
  'metformin and an SGLT2 inhibitor': 18,
  'metformin and a GLP-1 receptor agonist': 12,
  'basal insulin and metformin': 12,
  'insulin, several injections a day': 10,
} as const;

/** Treatments that can make glucose low. */
const LOWERING = {
  'metformin and a sulfonylurea': 35,
  'basal insulin and metformin': 30,
  'insulin, several injections a day': 35,
} as const;

/** Draws a treatment of diabetes. Whoever had a low glucose has one that can cause it. */
export function drawTherapy(random: Random, context: Context | null, wasLow: boolean): string {
  const drawn = choose(random, THERAPIES);
  const lowering = choose(random, LOWERING);
  // Metformin is not given on dialysis.
  if (context === 'haemodialysis') return 'insulin, several injections a day';
  return wasLow ? lowering : drawn;
}

/** Whether a treatment can make glucose low. */
export function canLowerGlucose(therapy: string): boolean {
  return Object.hasOwn(LOWERING, therapy);
}
