import { roundToStep } from '../../cohort/round-to-step.ts';
import design from './design.json' with { type: 'json' };
import type { QuantileColumn } from './published.ts';

/**
 * The step in which each value is reported. Steps follow the source (blood pressure in tens, white cells in hundreds)
 * with one exception: creatinine has two decimals instead of one, because at 1.0 mg/dL a step of 0.1 is worth up to
 * 10 mL/min/1.73 m2 of eGFR and would decide the stage.
 */
export const REPORTED_STEP: Readonly<Record<QuantileColumn, number>> = design.reportedStep;

/**
 * An albumin-creatinine ratio as laboratories print it: one decimal below 10 mg/g, whole numbers from there.
 *
 * @example
 * ```ts
 * reportedAcr(4.449) // => 4.4
 * reportedAcr(29.6) // => 30
 * ```
 */
export function reportedAcr(mgPerG: number): number {
  return roundToStep(mgPerG, mgPerG < 10 ? 0.1 : 1);
}
