import type { BpGuideline, Pressure } from './blood-pressure.ts';

/** An office visit. */
export interface BpVisit {
  /** Null: not recorded. */
  readonly day: number | null;
  readonly readings: readonly Pressure[];
}

export type Rhythm = 'regular' | 'atrial_fibrillation';

/** Why a visit does not count, in the order in which reasons are given. */
const OBSTACLES = ['atrial_fibrillation', 'unstable_readings', 'single_reading', 'no_reading'] as const;
type Obstacle = (typeof OBSTACLES)[number];

const READINGS_IN_FIBRILLATION = 3;
const MAX_APART = 10;

/** Why a visit does not count; null when it does. */
function findObstacle({ readings }: BpVisit, rhythm: Rhythm | null): Obstacle | null {
  if (readings.length === 0) return 'no_reading';
  if (rhythm === 'atrial_fibrillation' && readings.length < READINGS_IN_FIBRILLATION)
    return 'atrial_fibrillation';
  if (readings.length === 1) return 'single_reading';
  const apart = readings.length === 2 && Math.abs(readings[0]![0] - readings[1]![0]) > MAX_APART;
  return apart ? 'unstable_readings' : null;
}

/** The mean of a visit that has readings: of all of them by ACC/AHA, of the last two by ESC. */
export function visitMean({ readings }: BpVisit, guideline: BpGuideline): Pressure {
  const from = guideline === 'esc_2024' ? Math.max(0, readings.length - 2) : 0;
  let sbp = 0;
  let dbp = 0;
  for (let i = from; i < readings.length; i++) {
    sbp += readings[i]![0];
    dbp += readings[i]![1];
  }
  const n = readings.length - from;
  return [sbp / n, dbp / n];
}

/** The mean over usable visits, each visit weighing the same. */
export interface OfficeAverage {
  /** Null without a usable visit. */
  readonly mean: Pressure | null;
  readonly nVisits: number;
  /** Why other visits do not count. */
  readonly obstacles: readonly Obstacle[];
}

/**
 * The office mean: usable visits have two readings or more (three in atrial fibrillation), and two readings are not more than 10 mmHg apart.
 *
 * @example
 * ```ts
 * const visits = [{ day: 0, readings: [[150, 92], [142, 88]] }, { day: 30, readings: [[160, 95]] }] as const;
 * officeAverage(visits, 'regular', 'acc_aha_2025') // => { mean: [146, 90], nVisits: 1, obstacles: ['single_reading'] }
 * ```
 */
export function officeAverage(
  visits: readonly BpVisit[],
  rhythm: Rhythm | null,
  guideline: BpGuideline,
): OfficeAverage {
  let sbp = 0;
  let dbp = 0;
  let nVisits = 0;
  const found = new Set<Obstacle>();
  for (const visit of visits) {
    const obstacle = findObstacle(visit, rhythm);
    if (obstacle !== null) {
      found.add(obstacle);
      continue;
    }
    const mean = visitMean(visit, guideline);
    sbp += mean[0];
    dbp += mean[1];
    nVisits++;
  }
  return {
    mean: nVisits === 0 ? null : [sbp / nVisits, dbp / nVisits],
    nVisits,
    obstacles: found.size === 0 ? [] : OBSTACLES.filter((obstacle) => found.has(obstacle)),
  };
}

/** The mean of the latest visit that has a reading; null where none has. */
export function latestMean(visits: readonly BpVisit[], guideline: BpGuideline): Pressure | null {
  let latest: BpVisit | null = null;
  for (const visit of visits) {
    if (visit.readings.length === 0) continue;
    if (latest === null || (visit.day ?? Infinity) >= (latest.day ?? -Infinity)) latest = visit;
  }
  return latest === null ? null : visitMean(latest, guideline);
}

/** The mean as a clinic's record states it: of all visits, in whole numbers. */
export function clinicMean(visits: readonly BpVisit[]): Pressure {
  let sbp = 0;
  let dbp = 0;
  for (const visit of visits) {
    const mean = visitMean(visit, 'acc_aha_2025');
    sbp += mean[0];
    dbp += mean[1];
  }
  return [Math.round(sbp / visits.length), Math.round(dbp / visits.length)];
}

/** Whether every value ends in 0, among at least four readings: they were rounded to 10. */
export function isRoundedToTen(visits: readonly BpVisit[]): boolean {
  let n = 0;
  for (const { readings } of visits) {
    for (const [sbp, dbp] of readings) {
      if (sbp % 10 !== 0 || dbp % 10 !== 0) return false;
      n++;
    }
  }
  return n >= 4;
}
