import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CkdCase } from '../case.ts';
import { DAYS_PER_YEAR } from '../cohort/trajectory.ts';
import { ckdEpi2021, creatinineForEgfr } from '../equations/ckd-epi.ts';
import { assessCourse } from './progression.ts';

/** Sixty today, on the birthday. */
const ageAt = (daysBefore: number) => Math.floor(60 - daysBefore / DAYS_PER_YEAR);

type Point = readonly [years: number, egfr: number | null];

/** Visits some years ago at which the creatinine shows this eGFR. */
function caseWith(points: readonly Point[], more: Partial<CkdCase> = {}): CkdCase {
  const visits = points.map(([years, egfr]) => {
    const daysBefore = Math.round(years * DAYS_PER_YEAR);
    const age = ageAt(daysBefore);
    return { daysBefore, age, creatinineMgDl: creatinineForEgfr({ egfr, age, sex: 'female' }) };
  });
  return {
    age: 60,
    sex: 'female',
    creatinineMgDl: visits.at(-1)?.creatinineMgDl ?? null,
    acrMgPerG: null,
    dipstick: null,
    potassium: null,
    sodium: null,
    haemoglobin: null,
    context: null,
    visits,
    ...more,
  };
}

const FALL: Point[] = [
  [3, 80],
  [2, 70],
  [1, 60],
  [0, 50],
];
const RISE: Point[] = FALL.map(([years], i) => [years, FALL[3 - i]![1]]);
const flat = (egfr: number, visits: number, years: number): Point[] =>
  Array.from({ length: visits }, (_, i) => [years * (1 - i / (visits - 1)), egfr]);

describe('assessCourse', () => {
  it('is sure of a clear fall and of a clear rise', () => {
    for (const [points, answer] of [
      [FALL, 'worsening'],
      [RISE, 'improving'],
    ] as const) {
      expect(assessCourse(caseWith(points))).toMatchObject({
        answer,
        flipProbability: expect.toSatisfy((flip: number) => flip < 0.01),
        reasons: [],
      });
    }
  });

  it('is sure that a patient is stable given many visits, though no two of them could show it', () => {
    const few = assessCourse(caseWith(flat(60, 3, 1.1)));
    const many = assessCourse(caseWith(flat(60, 8, 3)));
    expect([few.answer, many.answer]).toEqual(['stable', 'stable']);
    expect(few.flipProbability).toBeGreaterThan(0.2);
    expect(many.flipProbability).toBeLessThan(0.01);
    // Doubt alone is no nearness to a line.
    expect([few.reasons, many.reasons]).toEqual([[], []]);
  });

  it('is near a line by the values shown: first to last by 17 to 33 %, or 4.5 to 5.5 a year', () => {
    const isNear = (...egfr: number[]) =>
      assessCourse(caseWith(egfr.map((value, i) => [4 * (1 - i / (egfr.length - 1)), value])))
        .shouldAbstain === true;
    expect([50, 46, 41.6].map((last) => isNear(50, 50, last))).toEqual([false, false, false]);
    expect([41.4, 36, 33.6].map((last) => isNear(50, 46, last))).toEqual([true, true, true]);
    expect(isNear(50, 46, 33.4)).toBe(false);
    expect([60.4, 66.4].map((last) => isNear(50, 55, last))).toEqual([true, true]);
    // 5 a year, and less than 17 % in all.
    expect(isNear(130, 120, 111)).toBe(true);
    // A slope of 7 a year settles a fall of 28 %.
    expect(isNear(100, 86, 72)).toBe(false);
  });

  it.each<[string, Point[]]>([
    ['two visits', FALL.slice(2)],
    ['two values at four visits', FALL.map(([years, egfr], i) => [years, i % 2 === 0 ? egfr : null])],
    ['one visit', FALL.slice(3)],
  ])('defers on %s', (_, points) => {
    expect(assessCourse(caseWith(points))).toEqual({
      answer: null,
      flipProbability: null,
      shouldAbstain: true,
      reasons: ['too_few_visits'],
      mustAct: [],
    });
  });

  it('defers on less than a year of follow-up, however many visits', () => {
    expect(assessCourse(caseWith(flat(60, 8, 0.99)))).toMatchObject({
      answer: null,
      reasons: ['follow_up_under_a_year'],
    });
    expect(assessCourse(caseWith(flat(60, 8, 1.01))).reasons).toEqual([]);
    // Only visits with a value count.
    const late = [[2, null] as const, ...flat(60, 4, 0.9)];
    expect(assessCourse(caseWith(late)).reasons).toEqual(['follow_up_under_a_year']);
  });

  it('does with three values where the last visit has none', () => {
    const gap = FALL.map(([years, egfr]): Point => [years, years === 0 ? null : egfr]);
    expect(assessCourse(caseWith(gap))).toMatchObject({ answer: 'worsening', reasons: [] });
  });

  it.each<[string, Partial<CkdCase>, string]>([
    ['no value at all', { visits: [] }, 'missing_creatinine'],
    ['no age', { age: null }, 'missing_age'],
    ['no sex', { sex: null }, 'missing_sex'],
    ['a child', { age: 12 }, 'child'],
    ['pregnancy', { context: 'pregnant' }, 'pregnancy'],
    ['dialysis', { context: 'dialysis' }, 'dialysis'],
    ['acute illness', { context: 'acuteKidneyInjury' }, 'acute_kidney_injury'],
  ])('supports no answer with %s', (_, change, reason) => {
    expect(assessCourse(caseWith(FALL, change))).toMatchObject({ answer: null, reasons: [reason] });
  });

  it('is not taken in by noise: up and down is stable, a dip that recovered too', () => {
    const zigzag = assessCourse(
      caseWith([
        [3, 70],
        [2.25, 60],
        [1.5, 72],
        [0.75, 61],
        [0, 70],
      ]),
    );
    expect([zigzag.answer, zigzag.flipProbability! < 0.05]).toEqual(['stable', true]);
    const dip = assessCourse(
      caseWith([
        [2, 58],
        [1, 42],
        [0, 57],
      ]),
    );
    expect([dip.answer, dip.flipProbability! < 0.05]).toEqual(['stable', true]);
  });

  it('is unsure when a single last value makes the whole fall', () => {
    const outlier = assessCourse(
      caseWith([
        [3, 70],
        [2.25, 71],
        [1.5, 69],
        [0.75, 70],
        [0, 52],
      ]),
    );
    expect(outlier.flipProbability).toBeGreaterThan(0.2);
    expect(outlier.reasons).toEqual(['near_progression_line']);
  });

  it('knows the line of 5 per year: 1 is stable, 10 is worsening, 5 is undecidable', () => {
    const fall = (perYear: number) =>
      assessCourse(caseWith(flat(0, 7, 3).map(([years]) => [years, 88 - perYear * (3 - years)])));
    expect([fall(1).answer, fall(1).flipProbability! < 0.05]).toEqual(['stable', true]);
    expect([fall(10).answer, fall(10).flipProbability! < 0.05]).toEqual(['worsening', true]);
    expect(fall(5).flipProbability).toBeGreaterThan(0.4);
  });

  it('takes age at each visit: creatinine that stays the same is a slow fall', () => {
    const same = caseWith(FALL.map(([years]) => [years, null])).visits.map((visit) => ({
      ...visit,
      creatinineMgDl: 1,
    }));
    const first = ckdEpi2021({ creatinineMgDl: 1, age: ageAt(same[0]!.daysBefore), sex: 'female' })!;
    expect(first).toBeGreaterThan(ckdEpi2021({ creatinineMgDl: 1, age: 60, sex: 'female' })!);
    expect(assessCourse(caseWith(FALL, { visits: same })).answer).toBe('stable');
  });

  it('reads the age shown at each visit, and nothing else', () => {
    const older = caseWith(FALL);
    const visits = older.visits.map((visit, i) => ({ ...visit, age: 40 + i }));
    expect(assessCourse({ ...older, visits }).flipProbability).not.toBe(assessCourse(older).flipProbability);
    expect(assessCourse({ ...older, age: 90 })).toEqual(assessCourse(older));
    const young = older.visits.map((visit, i) => ({ ...visit, age: i < 2 ? 17 : 18 }));
    expect(assessCourse({ ...older, visits: young }).reasons).toEqual(['too_few_visits']);
  });

  it('knows that eGFR is steadier below the knee: the same visits that leave doubt above it leave none', () => {
    const flip = (creatinineMgDl: number) => {
      const visits = flat(0, 4, 2).map(([years]) => {
        const daysBefore = Math.round(years * DAYS_PER_YEAR);
        return { daysBefore, age: 60, creatinineMgDl };
      });
      return assessCourse(caseWith(FALL, { visits })).flipProbability!;
    };
    expect(flip(0.69)).toBeLessThan(0.05);
    expect(flip(0.71)).toBeGreaterThan(0.2);
  });

  it('counts each visit with the error of its own creatinine', () => {
    // Worked out apart from this code: slope error sqrt(sum((t - mean t)^2 sd^2)) / sum((t - mean t)^2).
    const visits = [1.5, 1.2, 0.9, 0.6].map((creatinineMgDl, i) => ({
      daysBefore: Math.round((3 - i) * DAYS_PER_YEAR),
      age: 60,
      creatinineMgDl,
    }));
    expect(assessCourse(caseWith(FALL, { visits })).answer).toBe('improving');
    expect(assessCourse(caseWith(FALL, { visits })).flipProbability).toBeLessThan(1e-6);
  });

  it('shares the chances out among the three courses: halfway between stable and worsening is undecidable', () => {
    // GFR 20: a fall of 20 % ends stable, one of 25 % into G5 or of 30 % begins worsening; both lie well apart over three years.
    const fall = (share: number) =>
      assessCourse(caseWith(flat(0, 6, 3).map(([years]) => [years, 26 * (1 - share) ** ((3 - years) / 3)])));
    expect([fall(0.05).answer, fall(0.05).flipProbability! < 0.05]).toEqual(['stable', true]);
    expect(fall(0.25).flipProbability).toBeGreaterThan(0.3);
    expect([fall(0.45).answer, fall(0.45).flipProbability! < 0.05]).toEqual(['worsening', true]);
  });

  it('answers with the likeliest of three courses, whatever the values', () => {
    const egfr = fc.double({ min: 5, max: 130, noNaN: true });
    const series = fc.array(egfr, { minLength: 3, maxLength: 8 });
    fc.assert(
      fc.property(series, fc.double({ min: 1.01, max: 4, noNaN: true }), (values, years) => {
        const points = flat(0, values.length, years).map(([when], i): Point => [when, values[i]!]);
        const { answer, flipProbability } = assessCourse(caseWith(points));
        expect(['stable', 'worsening', 'improving']).toContain(answer);
        expect(flipProbability).toBeGreaterThanOrEqual(-1e-12);
        expect(flipProbability).toBeLessThanOrEqual(2 / 3 + 1e-12);
      }),
    );
  });
});
