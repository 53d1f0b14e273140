import { type BpGuideline, isSevere, type Pressure } from './blood-pressure.ts';

/** What may turn a severe pressure into an emergency. Null: not recorded. */
export interface Danger {
  readonly organDamage: boolean | null;
  readonly pregnant: boolean | null;
}

/**
 * Why silence about a pressure is unsafe. Organ damage below the severe line is not among the reasons.
 *
 * @example
 * ```ts
 * bpMustAct([204, 118], { organDamage: true, pregnant: false }, 'acc_aha_2025') // => ['hypertensive_emergency']
 * bpMustAct([162, 98], { organDamage: null, pregnant: true }, 'acc_aha_2025') // => ['severe_hypertension_in_pregnancy']
 * bpMustAct([178, 98], { organDamage: true, pregnant: false }, 'acc_aha_2025') // => []
 * ```
 */
export function bpMustAct(bp: Pressure, { organDamage, pregnant }: Danger, guideline: BpGuideline): string[] {
  if (!isSevere(bp, guideline, pregnant === true)) return [];
  if (pregnant === true) return ['severe_hypertension_in_pregnancy'];
  return [organDamage === true ? 'hypertensive_emergency' : 'severe_hypertension'];
}
