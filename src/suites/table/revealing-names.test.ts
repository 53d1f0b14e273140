import { expect, it } from 'vitest';
import { revealingNames } from './check-table.ts';

const warn = (...names: string[]) => revealingNames(names.map((name) => ({ name, feature: name })));

it.each([
  ['must_act', 'under must_act'],
  ['Must Act', 'under must_act'],
  ['Emergency', 'under must_act'],
  ['isEmergency', 'under must_act'],
  ['label', 'under label'],
  ['Diagnosis', 'under label'],
  ['final_diagnosis', 'under label'],
  ['Ground-Truth', 'under label'],
  ['should_abstain', 'under should_abstain'],
  ['shouldDefer', 'under should_abstain'],
  ['ID', 'under id'],
  ['Case No', 'under id'],
  ['case-no.', 'under id'],
  ['patient_id', 'under id'],
  ['Study Number', 'under id'],
  ['Date of birth', 'under id'],
])('warns of %s', (name, advice) => {
  const [warning, ...others] = warn(name);
  expect(others).toEqual([]);
  expect(warning).toContain(`column "${name}" is shown to the model`);
  expect(warning).toContain(advice);
});

it('warns of the name under which the model sees a column', () => {
  expect(revealingNames([{ name: 'x7', feature: 'Diagnosis' }])).toHaveLength(1);
});

it('says nothing of what a clinician would see', () => {
  const usual =
    'age sex sodium Notes sample NYHA_class Visit_Number case history identity Emergency_contact_seen';
  expect(warn(...usual.split(' '), 'Referral diagnosis', 'Potassium (mmol/L)')).toEqual([]);
});
