import type { Random } from '../../../statistics/random.ts';
import { type BackgroundValues, backgroundGenerator } from '../../cohort/background-values.ts';
import { chance, choose, drawItem, normal } from '../../cohort/distributions.ts';
import { drawPatients, type Person } from '../../cohort/people.ts';
import type { Pressure } from '../blood-pressure.ts';
import type { BpVisit } from '../office-average.ts';
import {
  type Band,
  drawGaps,
  drawPressure,
  drawRemark,
  drawSymptoms,
  drawVisit,
  isSurelySevere,
} from './draws.ts';

const BEFORE: Band = { sbp: [142, 175], dbp: [80, 102] };
const AFTER: Readonly<Record<string, Band & { readonly share: number }>> = {
  controlled: { share: 44, sbp: [102, 121], dbp: [58, 71] },
  uncontrolled: { share: 38, sbp: [139, 162], dbp: [78, 98] },
  near: { share: 18, sbp: [125, 135], dbp: [70, 81] },
};
const SHARES = Object.fromEntries(Object.entries(AFTER).map(([name, { share }]) => [name, share]));
const SEVERE: Band = { sbp: [196, 222], dbp: [106, 130] };
const CHANGES = ['amlodipine added', 'dose of losartan raised', 'chlorthalidone added', 'lisinopril started'];

/** A person whose drugs for blood pressure were changed. */
export interface Treated extends Person {
  readonly outcome: string;
  readonly usualBefore: Pressure;
  readonly usualAfter: Pressure;
  readonly visits: readonly BpVisit[];
  readonly changedDay: number;
  readonly change: string;
  readonly remark: string | null;
  readonly symptoms: string;
  readonly pulseRate: number;
  readonly background: BackgroundValues;
  readonly gaps: number;
}

const drawBackground = backgroundGenerator(['sbp', 'dbp']);

/** Treated people, one at a time. */
export function drawTreated(seed: number): Generator<Treated, never> {
  return drawPatients(seed, 'hypertensionTreated', drawOne);
}

function drawOne(random: Random, person: Person): Treated {
  const usualBefore = drawPressure(random, BEFORE);
  const outcome = choose(random, SHARES);
  const usualAfter = drawPressure(random, AFTER[outcome]!);
  const isSevere = chance(random, 0.07);
  const nSettled = chance(random, 0.09) ? random.integer(2) : 2 + random.integer(5);
  const nVisits = Math.max(4 + random.integer(5), nSettled + 1);
  const nOther = nVisits - nSettled;
  const nSoon = Math.min(nOther - 1, random.integer(3));
  const nBefore = nOther - nSoon;
  const draw = random.float();
  const nReadings = draw < 0.04 ? 1 : draw < 0.37 ? 2 : 3;
  const visits: BpVisit[] = [];
  let day = 0;
  const visit = (usual: Pressure) =>
    visits.push(drawVisit(random, usual, { day, nReadings, rounded: false }));
  for (let i = 0; i < nBefore; i++) {
    if (i > 0) day += 14 + random.integer(40);
    visit(usualBefore);
  }
  const changedDay = day + random.integer(3);
  for (let i = 0; i < nSoon; i++) {
    day = changedDay + Math.min(27, (i + 1) * 10 + random.integer(8));
    visit([(usualBefore[0] + usualAfter[0]) / 2, (usualBefore[1] + usualAfter[1]) / 2]);
  }
  for (let i = 0; i < nSettled; i++) {
    day = i === 0 ? changedDay + 28 + random.integer(30) : day + 14 + random.integer(47);
    visit(usualAfter);
  }
  if (isSevere) {
    day += 20 + random.integer(30);
    visit(drawPressure(random, SEVERE));
  }
  return {
    ...person,
    outcome,
    usualBefore,
    usualAfter,
    visits,
    changedDay,
    change: drawItem(random, CHANGES),
    remark: drawRemark(random),
    symptoms: drawSymptoms(random, isSevere && isSurelySevere(visits)),
    pulseRate: Math.round(70 + 9 * normal(random)),
    background: drawBackground(random, person, [0.5, 0.5]),
    gaps: drawGaps(random),
  };
}
