import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkValue, readCheck, readDate, readNumber } from './typed-check.ts';
import { unitFactor } from './units.ts';

describe('readNumber', () => {
  it.each([
    ['5 mg', 5, 'mg'],
    ['2,5 mg', 2.5, 'mg'],
    ['1,000 mg', 1000, 'mg'],
    ['1,000.5 mg', 1000.5, 'mg'],
    ['.5 mg', 0.5, 'mg'],
    ['½ tablet', 0.5, 'tablet'],
    ['2½ tablets', 2.5, 'tablets'],
    ['2 500 mg', 2500, 'mg'],
    ['2 500 mg tablets', 2500, 'mg tablets'],
    ['1 000 000 IU', 1e6, 'iu'],
    ['−5 mmol/L', -5, 'mmol/l'],
    ['**500 mg**.', 500, 'mg'],
    ['~30', 30, null],
    ['40%', 40, '%'],
    ['5mg/kg', 5, 'mg/kg'],
  ])('reads %s', (text, number, unit) => {
    expect(readNumber(text)).toEqual({ ok: true, number, unit });
  });

  it.each([
    ['5-10 mg', 'several_numbers'],
    ['5 to 10 mg', 'several_numbers'],
    ['1–2', 'several_numbers'],
    ['2 50 mg tablets', 'several_numbers'],
    ['1/2 tablet', 'several_numbers'],
    ['120/80', 'several_numbers'],
    ['< 5 mg', 'not_a_number'],
    ['at least 5 mg', 'not_a_number'],
    ['five mg', 'not_a_number'],
    ['', 'not_a_number'],
    ['1⁄0', 'several_numbers'],
    ['1.2.3', 'not_a_number'],
  ])('does not guess %s', (text, reason) => {
    expect(readNumber(text)).toEqual({ ok: false, reason });
  });

  it('never throws and never gives what is no finite number', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: 'grapheme' })), (text) => {
        const read = readNumber(text);
        expect(!read.ok || Number.isFinite(read.number)).toBe(true);
        readDate(text);
      }),
    );
  });
});

describe('unitFactor', () => {
  it.each([
    ['g', 'mg', 1000],
    ['mcg', 'mg', 0.001],
    ['μg', 'mcg', 1],
    ['micrograms', 'µg', 1],
    ['mg/day', 'g per day', 0.001],
    ['mg/h', 'mg/day', 24],
    ['mg/dL', 'g/L', 0.01],
    ['Tablets', 'tablet', 1],
    ['mmol/L', 'mg/dL', null],
    ['mg', 'ml', null],
    ['mg', 'mg/kg', null],
    ['IU', 'mg', null],
    ['mg twice daily', 'mg', null],
  ])('%s to %s', (from, to, factor) => {
    expect(unitFactor(from, to)).toBe(factor);
  });
});

describe('checkValue', () => {
  it('keeps to the tolerance, in the unit of the number', () => {
    const check = { number: 1.2, unit: 'g', tolerance: 0.1 };
    expect(['1,300 mg', '1.31 g', '1100mg', '1.2'].map((value) => checkValue(check, value))).toEqual([
      { passed: true, reason: null },
      { passed: false, reason: null },
      { passed: true, reason: null },
      { passed: null, reason: 'no_unit' },
    ]);
  });

  it('converts by substance only with a factor of the rubric', () => {
    const glucose = { number: 5.5, unit: 'mmol/L', tolerance: 0.1 };
    expect(checkValue(glucose, '99 mg/dL').reason).toBe('unit_not_convertible');
    expect(checkValue({ ...glucose, convert: { 'mg/dL': 0.0555 } }, '99 mg/dL').passed).toBe(true);
    expect(checkValue({ ...glucose, convert: { 'mg/dL': 0.0555 } }, '0.99 g/L').passed).toBe(true);
    expect(checkValue({ ...glucose, convert: { 'mg/dL': 0.0555 } }, '126 mg/dL').passed).toBe(false);
  });

  it.each([
    ['5 mg', true],
    ['5 mg/kg', false],
    ['5 mg per kg per day', false],
    ['5 mg/m²', false],
    ['5 mg twice daily', null],
    ['<5 mg', null],
    ['2-5 mg', null],
  ])('compares the whole quantity: %s is 5 mg: %s', (value, passed) => {
    expect(checkValue({ number: 5, unit: 'mg' }, value).passed).toBe(passed);
  });

  it('takes a factor of the rubric also where the units are divided by different things', () => {
    const check = { number: 350, unit: 'mg', convert: { 'mg/kg': 70 } };
    expect(checkValue(check, '5 mg/kg').passed).toBe(true);
  });

  it('does not compare a unit with a bare number', () => {
    expect(checkValue({ number: 3 }, '3 tablets')).toEqual({ passed: null, reason: 'unexpected_unit' });
    expect(checkValue({ number: 3 }, '3').passed).toBe(true);
  });

  it.each([
    ['2024-03-15', true],
    ['15 March 2024', true],
    ['March 16th, 2024', true],
    ['15.03.2024', true],
    ['17 Mar 2024', false],
    ['03/15/2024', true],
    ['03/04/2024', null],
    ['30 February 2024', null],
    ['soon', null],
  ])('dates: %s', (value, passed) => {
    expect(checkValue({ date: '2024-03-15', tolerance_days: 1 }, value).passed).toBe(passed);
  });

  it('compares words as quotes are compared, and patterns without case', () => {
    expect(checkValue({ one_of: ["St John's wort"] }, '**St John’s  Wort**.').passed).toBe(true);
    expect(checkValue({ one_of: ['ramipril'] }, 'ramipril 5 mg').passed).toBe(false);
    expect(checkValue({ regex: '^stage g?3[ab]$' }, 'Stage G3a').passed).toBe(true);
    expect(checkValue({ regex: '(a+)+$' }, 'a'.repeat(2000))).toEqual({
      passed: null,
      reason: 'value_too_long',
    });
  });
});

describe('readCheck', () => {
  const read = (given: unknown) => {
    const problems: string[] = [];
    const check = readCheck(given, problems);
    return { check, problems: problems.map((problem) => problem.replace(/^check /, '')) };
  };

  it('reads every kind, without what is the default', () => {
    expect(read({ number: 5, unit: ' mg ', tolerance: 0 }).check).toEqual({ number: 5, unit: 'mg' });
    expect(read({ date: '2024-02-29', tolerance_days: 2 }).check).toEqual({
      date: '2024-02-29',
      tolerance_days: 2,
    });
    expect(read({ one_of: [' a '] }).check).toEqual({ one_of: ['a'] });
    expect(read({ regex: 'a|b' }).check).toEqual({ regex: 'a|b' });
  });

  it.each([
    [5, 'is 5; expected an object with one of number, date, one_of, regex'],
    [{}, 'has none of number, date, one_of, regex; expected one of them'],
    [{ number: 5, date: '2024-01-01' }, 'has number and date; expected one of them'],
    [{ number: '5 mg' }, 'number is "5 mg"; expected a number, with its unit in unit'],
    [
      { number: 5, tolerence: 1 },
      'unknown field "tolerence"; did you mean tolerance? The fields are number, unit, tolerance, convert',
    ],
    [
      { number: 5, unit: 'mg', tolerance: -1 },
      'tolerance is -1; expected a number from 0 on, in the unit of the number',
    ],
    [{ date: '2024-02-30' }, 'date is "2024-02-30"; expected a day as YYYY-MM-DD'],
    [{ one_of: [5] }, 'one_of is [5]; expected a list of texts (in YAML put quotes around numbers)'],
  ])('refuses %j', (given, problem) => {
    expect(read(given)).toEqual({ check: null, problems: [problem] });
  });

  it('refuses conversions without a unit, and patterns that can hang', () => {
    expect(read({ number: 5, convert: { g: 1 } }).problems[0]).toMatch(/^convert is/);
    expect(read({ number: 5, unit: 'mg', convert: { g: 0 } }).problems[0]).toMatch(/^convert is/);
    expect(read({ regex: '(?=a)' }).problems[0]).toMatch(/^regex "\(\?=a\)": lookahead .* not supported/);
  });
});
