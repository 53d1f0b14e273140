import { describe, expect, it } from 'vitest';
import { featureTable } from './logistic.ts';

describe('featureTable', () => {
  it('reads every kind of feature', () => {
    const table = featureTable([
      { age: 40, htn: 'yes', smoker: true, urine: { ph: 5 }, visits: [{ egfr: 60 }] },
      { age: null, htn: null, smoker: false, urine: { ph: 7 }, visits: [{ egfr: 60 }, { egfr: 40 }] },
      { age: 60, htn: 'no', smoker: false, urine: { ph: 6 }, visits: [{ egfr: 60 }, { egfr: 40 }] },
    ]);
    expect(table.columns).toEqual([
      'age',
      'age: not measured',
      'htn = no',
      'htn = yes',
      'htn: none given',
      'smoker',
      'urine > ph',
      'visits: count',
      'visits: last egfr',
      'visits: mean egfr',
      'visits: change of egfr: not measured',
    ]);
  });

  it('drops what is constant and does not look at what training never had', () => {
    const table = featureTable([
      { same: 1, site: 'A', empty: null, x: 0 },
      { same: 1, site: 'A', empty: null, x: 1 },
    ]);
    expect(table.columns).toEqual(['x']);
    expect(table.read({ x: 1, same: 9, site: 'B', empty: 4, leak: 1 })).toEqual([1]);
  });

  it('takes an absent name for not measured', () => {
    const table = featureTable([{ x: 1 }, { x: 3 }, {}]);
    expect(table.columns).toEqual(['x', 'x: not measured']);
    expect(table.read({})).toEqual(table.read({ x: null }));
    expect(table.read({})).toEqual([0, 1]);
  });

  it('gives a feature of several kinds the columns of each', () => {
    const table = featureTable([{ acr: 10 }, { acr: 30 }, { acr: '> 300' }]);
    expect(table.columns).toEqual(['acr', 'acr: not measured', 'acr = > 300', 'acr: none given']);
    expect(table.read({ acr: '> 300' })).toEqual([0, 1, 1, 0]);
  });

  it('is the same whatever the order of names', () => {
    const a = featureTable([
      { x: 1, y: 2 },
      { x: 2, y: 5 },
    ]);
    const b = featureTable([
      { y: 2, x: 1 },
      { y: 5, x: 2 },
    ]);
    expect(a.columns).toEqual(b.columns);
    expect(a.read({ x: 2, y: 2 })).toEqual(b.read({ y: 2, x: 2 }));
  });

  it('makes no column where there is nothing to learn from', () => {
    expect(featureTable([]).columns).toEqual([]);
    expect(featureTable([{}, {}]).read({ x: 1 })).toEqual([]);
  });
});
