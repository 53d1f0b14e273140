import type { Random } from '../../../statistics/random.ts';
import { ckdEpi2021 } from '../../ckd/equations/ckd-epi.ts';
import {
  type BackgroundValues,
  backgroundGenerator,
  backgroundScore,
} from '../../cohort/background-values.ts';
import { chance, choose, drawItem, normal, uniform } from '../../cohort/distributions.ts';
import { drawPatients, type Person } from '../../cohort/people.ts';
import type { BpGuideline, Pressure } from '../blood-pressure.ts';
import { type BpVisit, clinicMean, type Rhythm } from '../office-average.ts';
import {
  type Band,
  drawGaps,
  drawPressure,
  drawRemark,
  drawSymptoms,
  drawVisit,
  isSurelySevere,
  REMARKS,
} from './draws.ts';

/** Bands of usual pressure with their share in percent. */
type Bands = Readonly<Record<string, Band & { readonly share: number }>>;

const BANDS: Readonly<Record<BpGuideline, Bands>> = {
  acc_aha_2025: {
    lowest: { share: 24, sbp: [98, 117], dbp: [58, 73] },
    elevated: { share: 18, sbp: [122.5, 124.5], dbp: [60, 70] },
    near: { share: 7, sbp: [126, 134], dbp: [70, 82] },
    stage_1: { share: 25, sbp: [134.5, 137], dbp: [80, 86] },
    highest: { share: 26, sbp: [145, 174], dbp: [78, 104] },
  },
  esc_2024: {
    lowest: { share: 24, sbp: [96, 114], dbp: [54, 66] },
    elevated: { share: 41, sbp: [121, 132], dbp: [68, 82] },
    near: { share: 10, sbp: [136, 144], dbp: [82, 93] },
    highest: { share: 25, sbp: [150, 176], dbp: [82, 104] },
  },
};
const SEVERE: Band = { sbp: [196, 224], dbp: [106, 130] };
const SEVERE_SHARE = 0.08;
const VISITS = { 1: 4, 2: 6, 3: 14, 4: 18, 6: 22, 8: 20, 10: 16 } as const;
const SEVERE_VISITS = { 1: 40, 2: 30, 3: 30 } as const;
const MONTHS = [0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 2, 2, 3, 4, 5, 6, 8] as const;

/** Cuffs with the arms they are made for, smallest first. */
const CUFFS = [
  { name: 'small adult cuff (17 to 22 cm)', from: 17, to: 22 },
  { name: 'standard adult cuff (22 to 30 cm)', from: 22, to: 30 },
  { name: 'large adult cuff (30 to 38 cm)', from: 30, to: 38 },
  { name: 'thigh cuff (38 to 48 cm)', from: 38, to: 48 },
] as const;

export type Known = 'yes' | 'no' | null;

/** An untreated person with all that is measured or asked, for either task. */
export interface Adult extends Person {
  readonly band: string;
  readonly usual: Pressure;
  readonly visits: readonly BpVisit[];
  readonly pregnant: boolean;
  readonly acute: string | null;
  readonly remark: string | null;
  readonly symptoms: string;
  readonly cuff: string | null;
  readonly armCm: number;
  readonly rested: boolean | null;
  readonly arm: { readonly measured: 'higher' | 'lower'; readonly difference: number } | null;
  readonly rhythm: Rhythm;
  readonly pulseRate: number;
  readonly smoker: boolean;
  readonly statin: boolean;
  readonly cvd: Known;
  readonly diabetes: Known;
  readonly ckd: Known;
  readonly lifestyleMonths: number;
  /** Whether a risk was computed for the record. */
  readonly hasRisk: boolean;
  /** One bit for each measured input of the risk that is withheld where no risk is shown: at least one. */
  readonly riskGaps: number;
  readonly background: BackgroundValues;
  /** Fields that decide nothing are missing independently of everything. */
  readonly gaps: number;
}

const drawBackground = backgroundGenerator(['sbp', 'dbp']);
/** Beyond this many SD a person's other values would follow pressure out of what is plausible. */
const MAX_SCORE = 2;

/** Untreated adults, a few children among them, one at a time; the same seed gives the same people to every task. */
export function drawAdults(seed: number, guideline: BpGuideline): Generator<Adult, never> {
  const bands = BANDS[guideline];
  const shares = Object.fromEntries(Object.entries(bands).map(([name, { share }]) => [name, share]));
  return drawPatients(seed, 'hypertensionAdults', (random, person) =>
    drawAdult(random, person, bands, shares),
  );
}

function drawAdult(
  random: Random,
  person: Person,
  bands: Bands,
  shares: Readonly<Record<string, number>>,
): Adult {
  const isChild = chance(random, 0.015);
  const age = isChild ? 11 + random.integer(7) : person.age;
  const isSevere = chance(random, SEVERE_SHARE) && !isChild;
  const band = isSevere ? 'severe' : choose(random, shares);
  const usual = drawPressure(random, isSevere ? SEVERE : bands[band]!);
  const pregnant = person.sex === 'female' && age >= 18 && age < 45 && chance(random, 0.04);
  const acute = chance(random, 0.012) && !isSevere;
  const rhythm = age >= 60 && chance(random, 0.12) ? 'atrial_fibrillation' : 'regular';
  const visits = drawVisits(random, usual, isSevere);
  const background = drawBackground(random, { sex: person.sex, age }, [
    score('sbp', person, usual[0]),
    score('dbp', person, usual[1]),
  ]);
  // Conditions are rarer in the young.
  const byAge = age < 40 ? 0.3 : 1.25;
  const cvd = condition(random, 0.12 * byAge);
  const diabetes = condition(random, 0.16 * byAge);
  const ckd = condition(random, 0.14 * byAge);
  return {
    ...person,
    age,
    band,
    usual,
    visits,
    pregnant,
    acute: acute ? drawItem(random, REMARKS.acute) : null,
    remark: drawRemark(random),
    symptoms: drawSymptoms(random, isSevere && isSurelySevere(visits) && clinicMean(visits)[0] > 180),
    ...drawCuff(random, band, background.armCircumferenceCm),
    rested: chance(random, 0.1) ? null : !chance(random, band === 'lowest' ? 0.06 : 0.012),
    arm: drawArm(random, band),
    rhythm,
    pulseRate: Math.round((rhythm === 'regular' ? 72 : 86) + 9 * normal(random)),
    smoker: age >= 18 && chance(random, 0.17),
    statin: age >= 45 && chance(random, 0.22),
    cvd: isChild ? 'no' : cvd,
    diabetes,
    ckd,
    lifestyleMonths: drawItem(random, MONTHS),
    hasRisk: !chance(random, 0.3),
    riskGaps: 1 << random.integer(4),
    background: fitting({ ...person, age }, background, diabetes, ckd),
    gaps: drawGaps(random),
  };
}

function score(column: 'sbp' | 'dbp', person: Person, value: number): number {
  return Math.max(-MAX_SCORE, Math.min(MAX_SCORE, backgroundScore(column, person, value)));
}

function drawVisits(random: Random, usual: Pressure, isSevere: boolean): BpVisit[] {
  const n = Number(choose(random, isSevere ? SEVERE_VISITS : VISITS));
  const draw = random.float();
  const nReadings = draw < 0.03 ? 1 : draw < 0.37 ? 2 : 3;
  const rounded = chance(random, 0.06);
  const highFirst = chance(random, 0.04);
  const visits: BpVisit[] = [];
  for (let i = 0, day = 0; i < n; i++) {
    const own: Pressure = highFirst && i === 0 && n > 2 ? [usual[0] + 18, usual[1] + 8] : usual;
    visits.push(drawVisit(random, own, { day, nReadings, rounded }));
    day += Math.floor(uniform(random, 14, 61));
  }
  return visits;
}

/** A cuff that does not fit is mostly harmless: small where pressure is low, large where it is high. */
function drawCuff(random: Random, band: string, arm: number) {
  const isOuter = band === 'lowest' || band === 'highest' || band === 'severe';
  const wrong = chance(random, isOuter ? 0.11 : 0.035);
  const tooSmall = chance(random, band === 'lowest' ? 0.75 : isOuter ? 0.25 : 0.5);
  const unrecorded = chance(random, 0.1);
  // No cuff is larger than the largest.
  const armCm = wrong && !tooSmall && arm > 38 ? 31 + (arm % 7) : arm;
  const right = CUFFS.findIndex(({ to }) => armCm <= to);
  const index = right + (wrong ? (tooSmall ? -1 : 1) : 0);
  return { armCm, cuff: unrecorded && !wrong ? null : CUFFS[index]!.name };
}

function drawArm(random: Random, band: string): Adult['arm'] {
  if (!chance(random, 0.3)) return null;
  const difference = chance(random, 1 / 3) ? 10 + random.integer(9) : 1 + random.integer(9);
  const lower = chance(random, band === 'highest' ? 0.45 : 0.1);
  return { measured: lower ? 'lower' : 'higher', difference };
}

const NOT_KNOWN = 0.14;

function condition(random: Random, yes: number): Known {
  const draw = random.float();
  return draw < NOT_KNOWN ? null : draw < NOT_KNOWN + yes ? 'yes' : 'no';
}

/** Laboratory values that do not contradict the conditions of the record. */
function fitting(person: Person, values: BackgroundValues, diabetes: Known, ckd: Known): BackgroundValues {
  const hba1c = values.hba1cPercent;
  const hba1cPercent =
    diabetes === 'yes'
      ? Math.max(hba1c, Math.round((6.5 + (hba1c - 4.4) * 0.6) * 10) / 10)
      : Math.min(hba1c, 6.3);
  let creatinineMgDl = ckd === 'yes' ? Math.round(values.creatinineMgDl * 150) / 100 : values.creatinineMgDl;
  const egfr = (creatinine: number) =>
    ckdEpi2021({ creatinineMgDl: creatinine, age: person.age, sex: person.sex }) ?? 90;
  if (ckd !== 'yes') while (egfr(creatinineMgDl) < 62) creatinineMgDl = Math.round(creatinineMgDl * 95) / 100;
  return { ...values, hba1cPercent, creatinineMgDl };
}
