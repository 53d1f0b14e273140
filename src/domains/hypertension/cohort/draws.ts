import type { Random } from '../../../statistics/random.ts';
import { normalCdf } from '../../../statistics/special-functions.ts';
import { chance, drawItem, normal } from '../../cohort/distributions.ts';
import type { Pressure } from '../blood-pressure.ts';
import type { BpVisit } from '../office-average.ts';

/** Findings of acute organ damage, as a record words them. */
export const ORGAN_DAMAGE = [
  'sudden weakness of one side',
  'crushing chest pain with ECG changes',
  'short of breath, lung oedema on X-ray',
  'creatinine doubled in two days',
  'blurred vision, haemorrhages in the fundus',
] as const;

/** Complaints that decide nothing. */
const SYMPTOMS = [
  'mild headache now and then',
  'tired in the afternoon',
  'occasional heartburn',
  'stiff knees in the morning',
] as const;

export const REMARKS = {
  /** States in which pressure is not the usual one, none of which needs action today. */
  acute: [
    'in pain with an ankle sprained yesterday',
    'feverish cold for three days',
    'toothache, in pain since yesterday',
  ],
  /** Remarks that decide nothing. */
  unrelated: [
    'treated hypothyroidism',
    'seasonal allergy',
    'knee replacement last year',
    'migraine, no attack for months',
  ],
  pregnant: 'pregnant, 27 weeks',
} as const;

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

/** A remark that decides nothing; null for most people. */
export function drawRemark(random: Random): string | null {
  return chance(random, 0.14) ? drawItem(random, REMARKS.unrelated) : null;
}

/** Of people with severe pressure, the share with acute organ damage. */
const DAMAGED = 0.72;

/** What a person complains of: organ damage only where the pressure shown is severe, since with less it would still need action today, by no rule of the suite. */
export function drawSymptoms(random: Random, isSevere: boolean): string {
  if (isSevere && chance(random, DAMAGED)) return drawItem(random, ORGAN_DAMAGE);
  return chance(random, 0.25) ? drawItem(random, SYMPTOMS) : 'feels well';
}

/** Whether every reading of the last visit is severe, so that its mean is by either guideline. */
export function isSurelySevere(visits: readonly BpVisit[]): boolean {
  return visits.at(-1)!.readings.every(([sbp]) => sbp > 180);
}

/** One bit for each field that may be missing. */
export function drawGaps(random: Random): number {
  let gaps = 0;
  for (let bit = 0; bit < 8; bit++) if (chance(random, 0.14)) gaps |= 1 << bit;
  return gaps;
}
