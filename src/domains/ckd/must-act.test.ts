import { describe, expect, it } from 'vitest';
import type { CkdCase } from './case.ts';
import { mustActReasons } from './case.ts';
import { creatinineForEgfr } from './equations/ckd-epi.ts';

const calm: CkdCase = {
  age: 60,
  sex: 'male',
  creatinineMgDl: 1,
  acrMgPerG: 5,
  dipstick: 0,
  potassium: 4.5,
  sodium: 140,
  haemoglobin: 14,
  context: null,
  visits: [],
};
const atEgfr = (egfr: number) => creatinineForEgfr({ egfr, age: 60, sex: 'male' });

describe('mustActReasons', () => {
  it('is silent where nothing is urgent, or nothing is known', () => {
    expect(mustActReasons(calm)).toEqual([]);
    expect(mustActReasons({ ...calm, potassium: null, creatinineMgDl: null })).toEqual([]);
  });

  it('begins at a potassium of 6.5', () => {
    expect(mustActReasons({ ...calm, potassium: 6.4 })).toEqual([]);
    expect(mustActReasons({ ...calm, potassium: 6.5 })).toEqual(['potassium_6.5_or_more']);
  });

  it('begins below an eGFR of 10', () => {
    expect(mustActReasons({ ...calm, creatinineMgDl: atEgfr(10.01) })).toEqual([]);
    expect(mustActReasons({ ...calm, creatinineMgDl: atEgfr(9.99) })).toEqual(['egfr_below_10']);
  });

  it('takes kidney failure on dialysis as treated, but not its potassium', () => {
    const treated = { ...calm, creatinineMgDl: atEgfr(6), context: 'dialysis' } as const;
    expect(mustActReasons(treated)).toEqual([]);
    expect(mustActReasons({ ...treated, potassium: 7 })).toEqual(['potassium_6.5_or_more']);
  });

  it.each([
    [{ sodium: 120 }, []],
    [{ sodium: 119 }, ['sodium_below_120']],
    [{ sodium: 160 }, []],
    [{ sodium: 161 }, ['sodium_above_160']],
    [{ haemoglobin: 7 }, []],
    [{ haemoglobin: 6.9 }, ['haemoglobin_below_7']],
    [{ sodium: null, haemoglobin: null }, []],
  ])('with %j says %j', (change, reasons) => {
    expect(mustActReasons({ ...calm, ...change })).toEqual(reasons);
  });

  it('names both', () => {
    expect(mustActReasons({ ...calm, potassium: 7, creatinineMgDl: atEgfr(6) })).toEqual([
      'potassium_6.5_or_more',
      'egfr_below_10',
    ]);
  });

  it('holds in a child and in acute illness', () => {
    expect(mustActReasons({ ...calm, age: 9, potassium: 6.6 })).toEqual(['potassium_6.5_or_more']);
    expect(mustActReasons({ ...calm, context: 'acuteKidneyInjury', creatinineMgDl: atEgfr(8) })).toEqual([
      'egfr_below_10',
    ]);
  });
});
