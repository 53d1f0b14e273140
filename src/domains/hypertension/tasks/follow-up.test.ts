import { expect, it } from 'vitest';
import type { BpVisit } from '../office-average.ts';
import { assessFollowUp } from './follow-up.ts';

const visit = (day: number, sbp: number, dbp: number): BpVisit => ({
  day,
  readings: [
    [sbp + 1, dbp],
    [sbp - 1, dbp],
  ],
});
const ACC = { guideline: 'acc_aha_2025' } as const;
const verdict = (visits: BpVisit[], treatmentChangedDay: number | null, organDamage = false) =>
  assessFollowUp({ visits, treatmentChangedDay, organDamage }, ACC);

it('never averages in the visit that led to the change', () => {
  const visits = [visit(0, 170, 102), visit(40, 114, 68), visit(70, 116, 70), visit(100, 113, 67)];
  expect(verdict(visits, 5)).toMatchObject({ answer: 'controlled', shouldAbstain: false });
  expect(verdict(visits, null)).toMatchObject({ reasons: ['near_goal'] });
});

it('counts from the 28th day on', () => {
  expect(verdict([visit(0, 150, 90), visit(47, 114, 68), visit(80, 114, 68)], 20).reasons).toEqual([
    'too_soon_after_change',
  ]);
  expect(verdict([visit(0, 150, 90), visit(48, 114, 68), visit(80, 114, 68)], 20).answer).toBe('controlled');
});

it('says when there are too few usable visits at any time', () => {
  const single: BpVisit = { day: 60, readings: [[114, 68]] };
  expect(verdict([visit(0, 150, 90), single], 5).reasons).toEqual(['too_few_visits']);
  expect(verdict([], 5).reasons).toEqual(['too_few_visits']);
});

it('is uncontrolled at once where the latest visit is severe', () => {
  const visits = [visit(0, 150, 90), visit(60, 118, 70), visit(90, 204, 118)];
  expect(verdict(visits, 80)).toMatchObject({ answer: 'uncontrolled', mustAct: ['severe_hypertension'] });
  expect(verdict(visits, 80, true).mustAct).toEqual(['hypertensive_emergency']);
});

it('takes another goal', () => {
  const visits = [visit(40, 134, 74), visit(70, 134, 74), visit(90, 134, 74), visit(120, 134, 74)];
  const given = { visits, treatmentChangedDay: 0, organDamage: false };
  expect(assessFollowUp(given, ACC).answer).toBe('uncontrolled');
  expect(assessFollowUp(given, { ...ACC, goal: [150, 90] }).answer).toBe('controlled');
});
