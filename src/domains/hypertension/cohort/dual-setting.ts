import type { Random } from '../../../statistics/random.ts';
import { type BackgroundValues, backgroundGenerator } from '../../cohort/background-values.ts';
import { chance, choose, drawItem, normal } from '../../cohort/distributions.ts';
import { drawPatients, type Person } from '../../cohort/people.ts';
import { type BpGuideline, HIGH_FROM, type Pressure } from '../blood-pressure.ts';
import type { OutOfOffice, PhenotypeCase } from '../tasks/phenotype.ts';
import { AMBULATORY_SD, HOME_SD, OFFICE_SD } from '../variation.ts';
import {
  type Band,
  drawGaps,
  drawPressure,
  drawRemark,
  drawSymptoms,
  ORGAN_DAMAGE,
  printed,
} from './draws.ts';

const KINDS = { normotension: 1, white_coat: 1, masked: 1, sustained: 1 } as const;
const SETTINGS = { home: 55, ambulatory_day: 30, ambulatory_24h: 15 } as const;
/** How far a single reading lies from the mean of its setting: more over a day than in a chair. By design. */
const SINGLE_SD = {
  office: [9, 6],
  home: [11, 7],
  ambulatory_day: [12, 9],
  ambulatory_24h: [13, 10],
} as const satisfies Record<string, Pressure>;
const LOWEST_SINGLE: Pressure = [86, 46];
const DRUGS = ['amlodipine 5 mg daily', 'lisinopril 10 mg daily', 'hydrochlorothiazide 12.5 mg daily'];

/** A person measured in and out of the office. */
export interface DualSetting
  extends Person,
    Omit<PhenotypeCase, 'age' | 'organDamage' | 'pregnant' | 'onTreatment'> {
  readonly kind: keyof typeof KINDS;
  readonly pregnant: boolean;
  readonly drugs: string | null;
  readonly remark: string | null;
  readonly symptoms: string;
  readonly lastOffice: Pressure;
  readonly lastOutside: Pressure | null;
  readonly pulseRate: number;
  readonly background: BackgroundValues;
  readonly gaps: number;
}

const drawBackground = backgroundGenerator(['sbp', 'dbp']);

/** People of the four phenotypes in equal shares, one at a time. */
export function drawDualSettings(seed: number, guideline: BpGuideline): Generator<DualSetting, never> {
  return drawPatients(seed, 'hypertensionDualSetting', (random, person) =>
    drawOne(random, person, guideline),
  );
}

function drawOne(random: Random, person: Person, guideline: BpGuideline): DualSetting {
  const age = chance(random, 0.015) ? 11 + random.integer(7) : person.age;
  const drawn = choose(random, KINDS);
  // Where pressure is near a line, it is so in one place only: no single value gives that away.
  const near = chance(random, 0.13) ? (chance(random, 0.5) ? 'office' : 'outside') : null;
  const isSevere = chance(random, 0.07);
  const setting = choose(random, SETTINGS);
  const lines = HIGH_FROM[guideline];
  const usualOffice: Pressure = isSevere
    ? [192 + random.integer(28), 102 + random.integer(24)]
    : drawPressure(
        random,
        chooseBand(drawn === 'white_coat' || drawn === 'sustained', near === 'office', lines.office),
      );
  const nVisits = chance(random, 0.04) ? 1 : 2 + random.integer(5);
  const officeMean = around(random, usualOffice, OFFICE_SD, nVisits);
  const symptoms = drawSymptoms(random, isSevere && officeMean[0] > 180);
  // Organs that pressure has damaged were under pressure outside the office too.
  const isDamaged = (ORGAN_DAMAGE as readonly string[]).includes(symptoms);
  const isHighOutside = isDamaged || drawn === 'masked' || drawn === 'sustained';
  const usualOutside = drawPressure(
    random,
    isDamaged ? farAbove(lines[setting]) : chooseBand(isHighOutside, near === 'outside', lines[setting]),
  );
  const kind = isSevere ? (isHighOutside ? 'sustained' : 'white_coat') : drawn;
  const isNone = chance(random, 0.04);
  const mean = around(random, usualOutside, setting === 'home' ? HOME_SD : AMBULATORY_SD, 1);
  const lastOutside = singleReading(random, mean, SINGLE_SD[setting]);
  const background = drawBackground(random, { sex: person.sex, age }, [0, 0]);
  const effort = drawEffort(random, setting, chance(random, 0.07));
  return {
    ...person,
    age,
    kind,
    pregnant: person.sex === 'female' && age >= 18 && age < 45 && chance(random, 0.03),
    drugs: chance(random, 0.04) ? drawItem(random, DRUGS) : null,
    remark: drawRemark(random),
    symptoms,
    officeMean,
    officeVisits: nVisits,
    outOfOffice: isNone ? null : { setting, mean, ...effort },
    lastOffice: singleReading(random, officeMean, SINGLE_SD.office),
    lastOutside: isNone ? null : lastOutside,
    pulseRate: Math.round(72 + 9 * normal(random)),
    background,
    gaps: drawGaps(random),
  };
}

/** Clear pressures lie well to one side of the line where they are measured; near ones close to it. */
function chooseBand(isHigh: boolean, isNear: boolean, [sbp, dbp]: Pressure): Band {
  if (isNear) return { sbp: [sbp - 6, sbp + 6], dbp: [dbp - 8, dbp + 3] };
  if (isHigh) return { sbp: [sbp + 10, sbp + 36], dbp: [dbp + 3, dbp + 18] };
  return { sbp: [sbp - 29, sbp - 13], dbp: [dbp - 22, dbp - 11] };
}

/** So far above the line that measuring never comes out below it. */
function farAbove([sbp, dbp]: Pressure): Band {
  return { sbp: [sbp + 35, sbp + 60], dbp: [dbp + 8, dbp + 30] };
}

function around(random: Random, usual: Pressure, sd: Pressure, n: number): Pressure {
  const root = Math.sqrt(n);
  return printed(usual[0] + (sd[0] / root) * normal(random), usual[1] + (sd[1] / root) * normal(random));
}

/** Systolic and diastolic pressure rise and fall together; a person who feels well has no lower pressure than the lowest. */
function singleReading(random: Random, mean: Pressure, sd: Pressure): Pressure {
  const shared = normal(random);
  const [lowestSbp, lowestDbp] = LOWEST_SINGLE;
  return printed(
    Math.max(lowestSbp, mean[0] + sd[0] * shared),
    Math.max(lowestDbp, mean[1] + sd[1] * (0.6 * shared + 0.8 * normal(random))),
  );
}

function drawEffort(random: Random, setting: OutOfOffice['setting'], tooLittle: boolean) {
  if (setting !== 'home') {
    const validPercent = tooLittle ? 40 + random.integer(30) : 72 + random.integer(27);
    return { days: null, readings: null, validPercent };
  }
  const days = tooLittle ? 1 + random.integer(3) : 3 + random.integer(5);
  const readings = tooLittle ? Math.min(11, days * 3) : Math.max(12, days * 4 - random.integer(3));
  return { days, readings, validPercent: null };
}
