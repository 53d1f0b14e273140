import { expect, it } from 'vitest';
import type { Pressure } from '../blood-pressure.ts';
import { assessPhenotype, type PhenotypeCase } from './phenotype.ts';

const home = (mean: Pressure) =>
  ({ setting: 'home', mean, days: 7, readings: 24, validPercent: null }) as const;
const ambulatory = (mean: Pressure, validPercent = 85) =>
  ({ setting: 'ambulatory_24h', mean, days: null, readings: null, validPercent }) as const;
const person: PhenotypeCase = {
  age: 44,
  pregnant: false,
  onTreatment: false,
  organDamage: false,
  officeMean: [152, 95],
  officeVisits: 3,
  outOfOffice: home([115, 68]),
};
const acc = (change: Partial<PhenotypeCase>) => assessPhenotype({ ...person, ...change }, 'acc_aha_2025');

it.each([
  ['normotension', [112, 66], [110, 66]],
  ['white_coat', [152, 95], [110, 66]],
  ['masked', [112, 66], [146, 92]],
  ['sustained', [152, 95], [146, 92]],
] as const)('%s', (answer, officeMean, outside) => {
  expect(acc({ officeMean, outOfOffice: home(outside) })).toMatchObject({ answer, shouldAbstain: false });
});

it.each([
  [{ age: 16, pregnant: true, onTreatment: true }, ['child']],
  [{ pregnant: true, onTreatment: true }, ['pregnancy']],
  [{ onTreatment: true, officeVisits: 1 }, ['on_treatment']],
  [{ officeVisits: 1, outOfOffice: null }, ['one_visit', 'no_out_of_office']],
  [{ outOfOffice: { ...home([115, 68]), days: 2 } }, ['home_readings_insufficient']],
  [{ outOfOffice: { ...home([115, 68]), readings: 11 } }, ['home_readings_insufficient']],
  [{ outOfOffice: ambulatory([115, 68], 69) }, ['ambulatory_readings_insufficient']],
] as const)('%j: %j', (change, reasons) => {
  expect(acc(change)).toMatchObject({ answer: null, shouldAbstain: true, reasons, mustAct: [] });
});

it('has lines of its own for 24 hours and for each guideline', () => {
  expect(acc({ outOfOffice: ambulatory([127, 70]) }).answer).toBe('sustained');
  expect(assessPhenotype({ ...person, outOfOffice: ambulatory([127, 70]) }, 'esc_2024').answer).toBe(
    'white_coat',
  );
});

it('defers where both chances together are too low, unless silence is unsafe', () => {
  const near = { outOfOffice: home([129, 76]) };
  expect(acc(near)).toMatchObject({ answer: 'white_coat', shouldAbstain: true, reasons: ['near_threshold'] });
  expect(acc({ ...near, officeMean: [190, 110] })).toMatchObject({
    shouldAbstain: null,
    reasons: [],
    mustAct: ['severe_hypertension'],
  });
});
