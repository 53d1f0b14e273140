import { describe, expect, it } from 'vitest';
import type { AcuteValues } from '../acute.ts';
import { assessControl, type ControlCase, type SensorData } from './assess.ts';

const BASE: ControlCase = {
  goalPercent: 7,
  hba1cPercent: 6.2,
  hba1cAgeDays: 30,
  treatmentChangeDaysBefore: null,
  context: null,
  sensor: null,
  highRisk: false,
  lowestGlucose: null,
  severeEvent: false,
  acute: null,
};
const SENSOR: SensorData = { days: 14, activePercent: 92, tirPercent: 85, tbr70Percent: 1, tbr54Percent: 0 };
const ACUTE: AcuteValues = {
  glucose: null,
  needsAssistance: null,
  knownDiabetes: true,
  bohb: null,
  urineKetones: null,
  ph: null,
  bicarbonate: null,
  sodium: null,
  osmolality: null,
};
const assess = (more: Partial<ControlCase>) => assessControl({ ...BASE, ...more });

describe('low glucose comes first', () => {
  it.each<[string, Partial<ControlCase>, string[]]>([
    ['now', { acute: { ...ACUTE, glucose: { value: 53, unit: 'mg/dL' } } }, ['level_2_hypoglycaemia']],
    ['help needed now', { acute: { ...ACUTE, needsAssistance: true } }, ['level_3_hypoglycaemia']],
    ['an event', { severeEvent: true }, []],
    ['the lowest value', { lowestGlucose: { value: 2.9, unit: 'mmol/L' } }, []],
    ['time below 54', { sensor: { ...SENSOR, tbr54Percent: 1 } }, []],
    ['time below 70', { sensor: { ...SENSOR, tbr70Percent: 4 } }, []],
    ['time below 70 at high risk', { highRisk: true, sensor: SENSOR }, []],
  ])('%s', (_, more, mustAct) => {
    for (const also of [{}, { hba1cPercent: null }, { context: 'pregnancy' } as const])
      expect(assess({ ...more, ...also })).toMatchObject({
        answer: 'hypoglycaemia',
        flipProbability: 0,
        shouldAbstain: false,
        mustAct,
      });
  });

  it('does not see it in values at the line, or in sensor data that do not count', () => {
    expect(assess({ lowestGlucose: { value: 54, unit: 'mg/dL' } }).answer).toBe('at_goal');
    expect(assess({ sensor: { ...SENSOR, tbr54Percent: 3, days: 13 } }).answer).toBe('at_goal');
  });
});

it('takes a crisis for above goal, whatever HbA1c says', () => {
  const acute = { ...ACUTE, bohb: 4, ph: 7.2, glucose: { value: 160, unit: 'mg/dL' } } as const;
  expect(assess({ acute, context: 'pregnancy' })).toMatchObject({
    answer: 'above_goal',
    shouldAbstain: false,
    mustAct: ['diabetic_ketoacidosis'],
  });
});

describe('where nothing counts', () => {
  it.each<[Partial<ControlCase>, string[]]>([
    [{ context: 'pregnancy' }, ['pregnancy']],
    [{ hba1cPercent: null }, ['missing_hba1c']],
    [
      { context: 'haemodialysis', hba1cAgeDays: 181, treatmentChangeDaysBefore: 55 },
      ['hba1c_not_valid', 'hba1c_too_old', 'treatment_changed_recently'],
    ],
    [{ hba1cAgeDays: 200, sensor: { ...SENSOR, activePercent: 69 } }, ['hba1c_too_old', 'cgm_insufficient']],
  ])('%j must be deferred for %j', (more, reasons) => {
    expect(assess(more)).toMatchObject({ answer: null, shouldAbstain: true, reasons, mustAct: [] });
  });

  it('ends at 180 and 56 days', () => {
    expect(assess({ hba1cAgeDays: 180, treatmentChangeDaysBefore: 56 }).answer).toBe('at_goal');
  });
});

describe('HbA1c and sensor against the goal', () => {
  it('lets sensor data decide where HbA1c is not valid', () => {
    expect(assess({ context: 'haemodialysis', sensor: { ...SENSOR, tirPercent: 48 } })).toMatchObject({
      answer: 'above_goal',
      shouldAbstain: false,
    });
    const older = { goalPercent: 8, hba1cPercent: null, sensor: { ...SENSOR, tirPercent: 62 } } as const;
    expect(assess(older)).toMatchObject({ answer: 'at_goal', shouldAbstain: false });
  });

  it('must be deferred where they disagree, and takes the surer where they agree', () => {
    expect(assess({ sensor: { ...SENSOR, tirPercent: 52 } })).toMatchObject({
      answer: null,
      reasons: ['hba1c_cgm_discordant'],
    });
    expect(assess({ hba1cPercent: 6.9 })).toMatchObject({ answer: 'at_goal', reasons: ['near_goal'] });
    expect(assess({ hba1cPercent: 6.9, sensor: SENSOR })).toMatchObject({
      answer: 'at_goal',
      shouldAbstain: false,
    });
  });

  it('is above from the goal on', () => {
    expect(assess({ hba1cPercent: 7 })).toMatchObject({
      answer: 'above_goal',
      flipProbability: expect.closeTo(0.5, 9),
    });
  });
});
