import design from './design.json' with { type: 'json' };
import type { QuantileColumn } from './published.ts';

/**
 * The step in which each value is reported. Steps follow the source (blood pressure in tens, white cells in hundreds)
 * with one exception: creatinine has two decimals instead of one, because at 1.0 mg/dL a step of 0.1 is worth up to
 * 10 mL/min/1.73 m2 of eGFR and would decide the stage.
 */
export const REPORTED_STEP: Readonly<Record<QuantileColumn, number>> = design.reportedStep;

/**
 * The nearest multiple of `step`, a power of ten.
 *
 * The value is first rounded to nine decimals. Machines may disagree about the last bit of `Math.exp`; without this,
 * a value that sits on the edge between two steps could be reported differently on each.
 *
 * @example
 * ```ts
 * roundToStep(1.2349999999999, 0.01) // => 1.24
 * roundToStep(7849, 100) // => 7800
 * roundToStep(13.26, 0.1) // => 13.3
 * ```
 */
export function roundToStep(value: number, step: number): number {
  const settled = Math.round(value * 1e9) / 1e9;
  if (step >= 1) return Math.round(settled / step) * step;
  const perUnit = Math.round(1 / step);
  return Math.round(settled * perUnit) / perUnit;
}

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
