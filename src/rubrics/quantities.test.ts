import { describe, expect, it } from 'vitest';
import { normalised } from './normalised-text.ts';
import { findQuantities } from './verify-quote.ts';

const quantitiesIn = (original: string) => {
  const folded = normalised(original, 'flat');
  return findQuantities(folded, original).map(({ start, end }) => folded.text.slice(start, end));
};

// The clauses of the ruling are cases of conformance/rubrics.json; here is what they leave open.
describe('findQuantities', () => {
  it.each([
    ['5 mg, 10 mg and 2.5 mg', ['5 mg', '10 mg', '2.5 mg']],
    ['between 2 and 5 mg, then 7 mg', ['between 2 and 5 mg', '7 mg']],
    ['between 2-3 mg and 5 mg', ['between 2-3 mg and 5 mg']],
    ['inbetween 2 and 5', ['2', '5']],
    ['from −5 to −2 mmol/L', ['-5 to -2 mmol/l']],
    ['> -3 and <= ~5', ['> -3', '<= ~5']],
    ['5 ± 2 mg', ['5 ± 2 mg']],
    ['3 × 10^9/L', ['3 × 10^9/l']],
    ['60 mL/min/1.73m^2', ['60 ml/min/1.73m^2']],
    ['75 mg/m^2/day', ['75 mg/m^2/day']],
    ['1 mg per 10 ml', ['1 mg per 10 ml']],
    ['.5 mg ... 5 mg', ['.5 mg', '5 mg']],
    ['1.2.3 and v1.2', ['1.2.3']],
    ["1'000'000 IU", ["1'000'000 iu"]],
    ['1,000 000 mg', ['1,000 000 mg']],
    ['2024 500 mg', ['2024', '500 mg']],
    ['5<br>10 mg', ['5', '10 mg']],
    ['eGFR>30', ['>30']],
    ['BCL2, HbA1c, G3a, egfr_2', []],
    ['stage 3a', ['3']],
    ['毎日5mg服用', ['5mg']],
    ['5 mg/日 and 5 mg/день', ['5 mg', '5 mg/день']],
    ['37 ° C', ['37 ° c']],
  ])('%j has %j', (text, expected) => {
    expect(quantitiesIn(text)).toEqual(expected);
  });

  // Quadratic time would take minutes here, and exponential time would not end.
  it.each([
    '1',
    '1 111 ',
    '1.',
    '5-',
    '<',
    '5-<<',
    'between 5 ',
    'between 5-<<5',
    '5 and ',
    '/a',
    ' per kg',
    '5x',
    '5 to ',
    '-',
    '<br>',
    '5^-',
  ])('reads 200 kB of %j', (piece) => {
    const text = `between 5 mg${piece.repeat(200_000 / piece.length)}`;
    expect(quantitiesIn(text).length).toBeGreaterThan(0);
  });
});
