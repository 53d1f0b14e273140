import { expect, it } from 'vitest';
import { isAsPublished } from './alignment.ts';

const row = { age: 75, bp: 70, sg: 1.02, bgr: 107, bu: 48, sc: 0.8, sod: 144, hemo: 13.6, wbcc: 10300 };

it('knows a row by its values, and what it said', () => {
  expect(isAsPublished({ ...row, htn: 'no', dm: 'no', cad: 'no' }, 'notckd')).toBe(true);
  expect(isAsPublished({ ...row, htn: 'no', dm: 'no', cad: 'no' }, 'ckd')).toBe(false);
  expect(isAsPublished({ ...row, htn: 'no', dm: null, cad: 'no' }, 'notckd')).toBe(false);
  expect(isAsPublished({ ...row, age: 74, htn: 'no', dm: 'no', cad: 'no' }, 'notckd')).toBe(false);
});
