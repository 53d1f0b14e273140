import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scrub } from './scrub.ts';

const records = [
  {
    id: 'a',
    features: {
      name: 'Jane  Q. Doe',
      note: 'walks (slowly) $& back',
      age: 61,
      creatinine: '1.30',
      missing: null,
      visits: [{ month: 12, value: 2.75 }],
    },
  },
];

describe('scrub', () => {
  it.each([
    ['creatinine of 1.3 mg/dL', 'creatinine of [redacted] mg/dL'],
    ['1.30, 1.300 and 13', '[redacted], [redacted] and 13'],
    ['JANE Q. DOE, aged 61.0', '[redacted], aged [redacted]'],
    ['she walks (slowly) $& back.', 'she [redacted].'],
    ['{"visit":{"month":12,"value":2.75}}', '{"visit":{"month":[redacted],"value":[redacted]}}'],
    ['stage 3, confidence 0.9', 'stage 3, confidence 0.9'],
    ['req_61a, 161, 6.1, 61mg', 'req_61a, 161, 6.1, 61mg'],
  ])('%s -> %s', (text, clean) => {
    expect(scrub(text, records)).toBe(clean);
  });

  it('leaves no value of a record in any text that quotes it among other words', () => {
    const value = fc.oneof(
      fc.integer({ min: 100, max: 1_000_000 }),
      fc.stringMatching(/^[A-Za-z]{5,12}-[0-9]{3,6}$/),
    );
    fc.assert(
      fc.property(
        fc.array(value, { minLength: 1, maxLength: 5 }),
        fc.constantFrom(' ', ', ', '\n', '"'),
        (values, gap) => {
          const text = values.map((v) => `${gap}${v}${gap}`).join('then');
          const clean = scrub(text, [
            { id: 'x', features: Object.fromEntries(values.map((v, i) => [`f${i}`, v])) },
          ]);
          for (const v of values) expect(clean).not.toContain(String(v));
        },
      ),
    );
  });
});
