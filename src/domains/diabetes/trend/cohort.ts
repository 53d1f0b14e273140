import type { Random } from '../../../statistics/random.ts';
import { chance, choose, drawItem, normal, uniform } from '../../cohort/distributions.ts';
import { drawPatients, type Person } from '../../cohort/people.ts';
import {
  type ContextWeights,
  drawContext,
  drawShownPerson,
  drawTherapy,
  drawUnits,
  glucoseNow,
  LASTING_CONTEXTS,
} from '../draws.ts';
import { printedHba1c, type UnitSystem } from '../form.ts';
import { hba1cPercent } from '../units.ts';
import { logSd, VARIATION } from '../variation.ts';
import { assessTrend, type TrendVerdict } from './assess.ts';
import { type MeasuredVisit, REMARKS, type TrendPerson } from './task.ts';

/** Where HbA1c is never valid no course can be read: few such records, and many with a context that changes nothing. */
const CONTEXT_WEIGHTS: ContextWeights = {
  ...LASTING_CONTEXTS,
  unrelated: 80,
  haemoglobin_trait: 40,
};

const COURSES = { stable: 42, worse: 29, better: 29 } as const;
const VISIT_COUNTS = { '2': 1, '4': 19, '5': 20, '6': 22, '7': 20, '8': 18 } as const;
/** How often visits are drawn again whose verdict would depend on the units: whole mmol/mol are coarse against the error of a change. */
const MAX_REDRAWS = 2;
const HBA1C_LOG_SD = logSd(VARIATION.hba1c);
const FIRST_DAY = Date.UTC(2019, 0, 1);
const DAY_MS = 86_400_000;
/** Dates as text, made once: the first visit lies in the first two years. */
const DATES = Array.from({ length: 2 * 365 + 1_200 }, (_, day) =>
  new Date(FIRST_DAY + day * DAY_MS).toISOString().slice(0, 10),
);

/** The people of a seed, without end. All depend on those before them; units change how values are printed and nothing else. */
export function trendPatients(seed: number, units: UnitSystem | 'mixed') {
  return drawPatients(seed, 'diabetesTrend', (random, person) => drawPatient(random, person, units));
}

/** A generated person with what is hidden: the change from the first to the last visit without noise, in points of %. */
function drawPatient(
  random: Random,
  person: Person,
  asked: UnitSystem | 'mixed',
): TrendPerson & { readonly trueChange: number } {
  const course = choose(random, COURSES);
  const size = uniform(random, 0.6, 2.6);
  const trueChange = course === 'stable' ? 0.08 * normal(random) : course === 'worse' ? size : -size;
  const first = course === 'better' ? uniform(random, 6.2, 7.6) + size : uniform(random, 5.9, 8.2);
  const units = drawUnits(random, asked);
  const { context, words } = drawContext(random, person, CONTEXT_WEIGHTS);
  let visits = drawVisits(random, first, trueChange);
  for (let again = 0; again < MAX_REDRAWS && dependsOnUnits(visits); again++)
    visits = drawVisits(random, first, trueChange);
  const acute = chance(random, 0.055) ? glucoseNow(random) : null;
  const therapy = drawTherapy(random, context, acute !== null && acute.glucose < 54);
  return {
    ...drawShownPerson(random, person, { units, context, words, hba1c: first + trueChange }),
    visits,
    therapy,
    acute,
    trueChange,
  };
}

function drawVisits(random: Random, first: number, change: number): MeasuredVisit[] {
  const isShort = chance(random, 0.03);
  // HbA1c is seldom measured more often than every six weeks.
  const n = isShort ? 4 + random.integer(2) : Number(choose(random, VISIT_COUNTS));
  const span = isShort ? 130 + random.integer(45) : Math.max(50 * (n - 1), 270 + random.integer(831));
  const shape = uniform(random, 0.7, 1.4);
  const from = random.integer(2 * 365);
  const step = span / (n - 1);
  const visits: MeasuredVisit[] = [];
  for (let i = 0; i < n; i++) {
    const isEnd = i === 0 || i === n - 1;
    const day = Math.round(i * step + (isEnd ? 0 : uniform(random, -0.25, 0.25) * step));
    const truth = first + change * (day / span) ** shape;
    const hba1c = truth * Math.exp(HBA1C_LOG_SD * normal(random));
    const isMissing = chance(random, 0.1);
    const isMarked = chance(random, 0.06);
    const remark = isMarked ? drawItem(random, REMARKS) : null;
    visits.push({
      day,
      date: DATES[from + day]!,
      hba1c: isMissing ? null : hba1c,
      remark: isMissing ? null : remark,
    });
  }
  return visits;
}

function dependsOnUnits(visits: readonly MeasuredVisit[]): boolean {
  const us = verdictIn('us', visits);
  const si = verdictIn('si', visits);
  return us.answer !== si.answer || us.shouldAbstain !== si.shouldAbstain || us.reasons[0] !== si.reasons[0];
}

function verdictIn(units: UnitSystem, visits: readonly MeasuredVisit[]): TrendVerdict {
  const printed = (percent: number) =>
    units === 'us' ? printedHba1c(percent, units) : hba1cPercent(printedHba1c(percent, units));
  return assessTrend({
    visits: visits.map(({ day, hba1c, remark }) => ({
      day,
      hba1cPercent: hba1c === null ? null : printed(hba1c),
      valid: remark === null,
    })),
    context: null,
    acute: null,
  });
}
