import { describe, expect, it } from 'vitest';
import type { AcuteValues } from '../acute.ts';
import { assessTrend, type TrendCase } from './assess.ts';

const over = (span: number, ...values: (number | null)[]): TrendCase => ({
  visits: values.map((hba1cPercent, i) => ({
    day: (span * i) / (values.length - 1),
    hba1cPercent,
    valid: true,
  })),
  context: null,
  acute: null,
});

describe('where no course can be read', () => {
  it.each<[string, TrendCase, string]>([
    ['a lasting context', { ...over(360, 7, 7, 7, 7), context: 'haemodialysis' }, 'hba1c_not_valid'],
    ['two values', over(360, 7, null, 7.4), 'too_few_visits'],
    ['five months', over(179, 7, 7, 7), 'follow_up_under_six_months'],
  ])('%s', (_, given, reason) => {
    expect(assessTrend(given)).toMatchObject({
      answer: null,
      shouldAbstain: true,
      reasons: [reason],
      change: null,
      chances: null,
    });
  });
});

it('drops values that a remark makes useless', () => {
  const given = over(360, 7, 7, 7, 7, 7);
  const visits = given.visits.map((visit, i) =>
    i === 2 ? { ...visit, hba1cPercent: 4, valid: false } : visit,
  );
  expect(assessTrend({ ...given, visits })).toMatchObject({ answer: 'stable', change: 0 });
});

it('is must-answer for a flat line up to the means of the description', () => {
  const zone = (mean: number, n: number) => assessTrend(over(720, ...Array(n).fill(mean))).shouldAbstain;
  expect([zone(7.2, 4), zone(7.4, 4), zone(7.68, 5), zone(7.7, 5)]).toEqual([false, null, false, null]);
});

it('gives the mirror image the opposite course, in whatever order visits are listed', () => {
  const up = assessTrend(over(370, 6.8, 7.2, 7.5, 8.1));
  const down = assessTrend(over(370, 8.1, 7.5, 7.2, 6.8));
  expect([up.answer, down.answer]).toEqual(['worsening', 'improving']);
  expect(up.flipProbability).toBeCloseTo(down.flipProbability!, 9);
  const given = over(370, 6.8, 7.2, 7.5, 8.1);
  expect(assessTrend({ ...given, visits: given.visits.toReversed() })).toEqual(up);
});

it('names a small change and an unclear course apart', () => {
  expect(assessTrend(over(300, 7, 7.3, 7.4)).reasons).toEqual(['change_inside_reference_change_value']);
  expect(assessTrend(over(300, 7, 7.9, 7.6)).reasons).toEqual(['course_uncertain']);
});

it('leaves an unclear course with an acute state unlabelled, and never acts without an answer', () => {
  const acute: AcuteValues = {
    glucose: { value: 45, unit: 'mg/dL' },
    needsAssistance: null,
    knownDiabetes: null,
    bohb: null,
    urineKetones: null,
    ph: null,
    bicarbonate: null,
    sodium: null,
    osmolality: null,
  };
  expect(assessTrend({ ...over(300, 7, 7.3, 7.4), acute })).toMatchObject({
    shouldAbstain: null,
    reasons: [],
    mustAct: ['level_2_hypoglycaemia'],
  });
  expect(assessTrend({ ...over(100, 7, 7, 7), acute })).toMatchObject({
    shouldAbstain: true,
    mustAct: [],
  });
});

it('takes variation and the meaningful change from its options', () => {
  const given = over(360, 7, 7.1, 7.3, 7.4);
  expect(assessTrend(given, { meaningfulChange: 0.2, cvWithinPerson: 0, cvAnalytical: 0 })).toMatchObject({
    answer: 'worsening',
    flipProbability: 0,
  });
});
