import { describe, expect, it } from 'vitest';
import { KrisisError } from '../../../core/errors.ts';
import { UCI_EXTRAS, UCI_FEATURES, type UciColumn, uciColumn } from '../source/columns.ts';
import { asNumber, checkRow, type FeatureRow, featureColumns } from './feature-row.ts';

describe('featureColumns', () => {
  it('takes every feature and extra column', () => {
    expect(featureColumns([...UCI_FEATURES, ...UCI_EXTRAS])).toHaveLength(26);
  });

  it.each(['class', 'classification', 'label', 'id', 'ckd_stage', 'toString'])('refuses %s', (name) => {
    const planted: UciColumn = {
      kind: 'categorical',
      name,
      label: 'x',
      unit: null,
      allowed: ['ckd', 'notckd'],
      synonyms: {},
    };
    expect(() => featureColumns([uciColumn('age'), planted])).toThrow(`"${name}" is not a feature`);
  });

  it('refuses a column given twice', () => {
    expect(() => featureColumns([uciColumn('age'), uciColumn('age')])).toThrow('given twice');
  });
});

describe('checkRow', () => {
  const columns = featureColumns([uciColumn('age'), uciColumn('al'), uciColumn('htn')]);

  it('takes values, null and nothing', () => {
    checkRow({ values: { age: 48, al: null, pot: 4 } }, columns);
  });

  it('refuses a label among the values', () => {
    const row = { values: { age: 48, class: 'ckd' } } as FeatureRow;
    expect(() => checkRow(row, columns)).toThrow(KrisisError);
  });

  it.each<FeatureRow['values']>([
    { age: '48' },
    { age: Number.NaN },
    { al: 6 },
    { al: '1' },
    { htn: 'maybe' },
  ])('refuses %j, and says what was expected', (values) => {
    expect(() => checkRow({ values }, columns)).toThrow(/holds .*; expected (a number|one of)/);
  });
});

it('counts steps and words by their place', () => {
  expect(uciColumn('sg').kind === 'ordinal' && asNumber(1.025, uciColumn('sg'))).toBe(4);
  expect(asNumber('abnormal', uciColumn('rbc'))).toBe(1);
});
