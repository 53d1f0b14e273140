import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../statistics/random.ts';
import { ckdEpi2021 } from '../equations/ckd-epi.ts';
import type { PopulationState } from './generate-cohort.ts';
import { measureVisits, trueCreatinine } from './generate-cohort.ts';

const trajectory = [
  { daysBeforeIndex: 800, age: 58, gfr: 40 },
  { daysBeforeIndex: 90, age: 59, gfr: 40 },
  { daysBeforeIndex: 0, age: 60, gfr: 40 },
];
const patient = { sex: 'male', trajectory, acr: 100, course: 'stable' } as const;

function many(state: Partial<PopulationState> = {}) {
  const random = createRandom(13);
  const whole = { context: null, creatinineFactor: 1, sinceDays: 0, ...state };
  return Array.from({ length: 2000 }, () => measureVisits(random, { ...patient, state: whole }));
}
const meanLog = (values: number[]) => values.reduce((sum, value) => sum + Math.log(value), 0) / values.length;
const sdLog = (values: number[]) =>
  Math.sqrt(meanLog(values.map((value) => Math.exp((Math.log(value) - meanLog(values)) ** 2))));

describe('measureVisits', () => {
  it('has the published variation around the true value', () => {
    const creatinine = many().map((visits) => visits[2]!.creatinineMgDl);
    expect(meanLog(creatinine)).toBeCloseTo(Math.log(trueCreatinine({ gfr: 40, age: 60, sex: 'male' })), 2);
    expect(Math.abs(sdLog(creatinine) - 0.0512)).toBeLessThan(0.003);
    const acr = many().map((visits) => visits[2]!.acrMgPerG);
    expect(meanLog(acr)).toBeCloseTo(Math.log(100), 1);
    // A within-person CV of 48.8 %.
    expect(Math.abs(sdLog(acr) - 0.462)).toBeLessThan(0.02);
  });

  it('applies a state as far back as it lasts', () => {
    const at = (visit: number, state: Partial<PopulationState>) =>
      Math.exp(meanLog(many(state).map((visits) => visits[visit]!.creatinineMgDl)));
    const usual = at(2, {});
    expect(at(2, { creatinineFactor: 2 }) / usual).toBeCloseTo(2, 2);
    expect(at(1, { creatinineFactor: 2 }) / usual).toBeCloseTo(1, 1);
    expect(at(1, { creatinineFactor: 0.75, sinceDays: 180 }) / usual).toBeCloseTo(0.75, 1);
    expect(at(0, { creatinineFactor: 0.75, sinceDays: 180 }) / usual).toBeCloseTo(1, 1);
  });

  it('has the creatinine of the age at each visit: the equation gives the true GFR back', () => {
    const first = many().map((visits) => visits[0]!);
    expect(first.every(({ age }) => age === 58)).toBe(true);
    const creatinine = Math.exp(meanLog(first.map(({ creatinineMgDl }) => creatinineMgDl)));
    expect(ckdEpi2021({ creatinineMgDl: creatinine, age: 58, sex: 'male' })).toBeCloseTo(40, 0);
  });

  it('dates the visits', () => {
    for (const visits of many().slice(0, 200)) {
      expect(visits[2]!.date).toMatch(/^2024-\d\d-\d\d$/);
      const days = (Date.parse(visits[2]!.date) - Date.parse(visits[0]!.date)) / 86_400_000;
      expect(days).toBe(800);
    }
  });
});
