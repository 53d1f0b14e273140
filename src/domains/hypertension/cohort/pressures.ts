import { normalCdf, type Random } from '../../../statistics/index.ts';
import { chance, normal } from '../../cohort/distributions.ts';
import type { Pressure } from '../blood-pressure.ts';
import type { BpVisit } from '../office-average.ts';

/** A range of usual pressure. */
export interface Band {
  readonly sbp: readonly [from: number, to: number];
  readonly dbp: readonly [from: number, to: number];
}

const BETWEEN = 0.5;
const VISIT_SD: Pressure = [7.7, 4.6];
const READING_SD: Pressure = [3.7, 3.4];
const FIRST_READING: Pressure = [1.5, 0.7];
const MIN_PULSE_PRESSURE = 18;
const SINGLE_VISIT = 0.03;

/** A pressure within a band: both numbers uniform, high ones together more often than not. */
export function drawPressure(random: Random, { sbp, dbp }: Band): Pressure {
  const first = normal(random);
  const second = BETWEEN * first + Math.sqrt(1 - BETWEEN ** 2) * normal(random);
  return [inRange(sbp, normalCdf(first)), inRange(dbp, normalCdf(second))];
}

function inRange([from, to]: readonly [number, number], share: number): number {
  return from + (to - from) * share;
}

/** A visit on a day: its own deviation from the usual pressure, readings around it, the first a little high. A few visits have one reading only. */
export function drawVisit(
  random: Random,
  usual: Pressure,
  {
    day,
    nReadings,
    rounded,
  }: { readonly day: number; readonly nReadings: number; readonly rounded: boolean },
): BpVisit {
  const sbp = usual[0] + VISIT_SD[0] * normal(random);
  const dbp = usual[1] + VISIT_SD[1] * normal(random);
  const n = chance(random, SINGLE_VISIT) ? 1 : nReadings;
  const readings: Pressure[] = [];
  for (let i = 0; i < n; i++) {
    readings.push(
      printed(
        sbp + READING_SD[0] * normal(random) + (i === 0 ? FIRST_READING[0] : 0),
        dbp + READING_SD[1] * normal(random) + (i === 0 ? FIRST_READING[1] : 0),
        rounded ? 10 : 1,
      ),
    );
  }
  return { day, readings };
}

/** As a device or a reader writes it: whole numbers, or tens. */
export function printed(sbp: number, dbp: number, step = 1): Pressure {
  const systolic = Math.max(60, Math.round(sbp / step) * step);
  const diastolic = Math.max(30, Math.round(dbp / step) * step);
  return [systolic, Math.min(diastolic, systolic - Math.max(step, MIN_PULSE_PRESSURE))].map((value) =>
    step === 1 ? value : Math.floor(value / step) * step,
  ) as [number, number];
}
