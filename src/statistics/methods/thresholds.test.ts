import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { exactUpperBound } from '../proportions.ts';
import { isotonicFit, isotonicPredict, plattFit, plattPredict } from './recalibration.ts';
import {
  deployableThreshold,
  firstTestedRows,
  reaches,
  riskPValue,
  rowsForErrors,
  rowsForPower,
  thresholdReport,
} from './thresholds.ts';

const rows = fc.array(
  fc.record({ confidence: fc.double({ min: 0, max: 1, noNaN: true }), right: fc.boolean() }),
  {
    minLength: 1,
    maxLength: 300,
  },
);
const promise = fc.record({ risk: fc.constantFrom(0.05, 0.1, 0.3), delta: fc.constantFrom(0.05, 0.1, 0.4) });

describe('rows that a promise needs', () => {
  // GUARANTEES 2.4: 0, 1, 2 and 5 errors; 80 % power at a quarter and at half of the risk.
  test.each([
    [0.01, 0.05, 299, 473, 628, 1049, 773, 2185],
    [0.02, 0.1, 114, 194, 265, 462, 333, 828],
    [0.05, 0.05, 59, 93, 124, 208, 153, 434],
    [0.05, 0.1, 45, 77, 105, 184, 132, 330],
    [0.1, 0.1, 22, 38, 52, 91, 65, 152],
  ])('risk %d, delta %d', (risk, delta, none, one, two, five, quarter, half) => {
    const given = { risk, delta };
    expect([0, 1, 2, 5].map((errors) => rowsForErrors(errors, given))).toEqual([none, one, two, five]);
    expect([rowsForPower(risk / 4, given), rowsForPower(risk / 2, given)]).toEqual([quarter, half]);
  });

  it('are the smallest that suffice', () => {
    fc.assert(
      fc.property(fc.nat({ max: 20 }), promise, (errors, given) => {
        const n = rowsForErrors(errors, given);
        expect(riskPValue(errors, n, given.risk)).toBeLessThanOrEqual(given.delta);
        expect(riskPValue(errors, Math.max(errors, n - 1), given.risk)).toBeGreaterThan(given.delta);
      }),
    );
  });

  it('start the sequence where a quarter of the rows can carry errors', () => {
    expect([100, 307, 308, 419, 420, 5000].map((n) => firstTestedRows(n))).toEqual([
      45, 45, 77, 77, 105, 105,
    ]);
    expect(firstTestedRows(5000, { startErrors: 0 })).toBe(45);
  });

  it('refuse what is not a promise', () => {
    for (const given of [{ risk: 0 }, { risk: 1 }, { delta: 0 }, { delta: 1 }, { risk: Number.NaN }])
      expect(() => rowsForErrors(0, given)).toThrow(expect.objectContaining({ code: 'ERR_ARGUMENT' }));
  });
});

describe('deployableThreshold', () => {
  it('keeps its promise on the rows that chose it: p and the exact bound agree', () => {
    fc.assert(
      fc.property(rows, promise, (given, { risk, delta }) => {
        const found = threshold(given, { risk, delta });
        if (found.threshold === null) return;
        expect(found.pValue).toBeLessThanOrEqual(delta);
        expect(exactUpperBound(found.errors!, found.n!, 1 - delta)).toBeLessThanOrEqual(risk + 1e-9);
        const accepted = given.filter(({ confidence }) => reaches(confidence, found.threshold!));
        expect([accepted.length, accepted.filter(({ right }) => !right).length]).toEqual([
          found.n,
          found.errors,
        ]);
      }),
    );
  });

  it('does not depend on the order of rows', () => {
    fc.assert(
      fc.property(rows, promise, (given, options) => {
        expect(threshold([...given].reverse(), options)).toEqual(threshold(given, options));
      }),
    );
  });

  it('accepts the same rows when the cells of the grid are renamed in the same order', () => {
    const cells = fc.array(fc.record({ cell: fc.nat({ max: 40 }), right: fc.boolean() }), { maxLength: 300 });
    fc.assert(
      fc.property(cells, promise, (given, options) => {
        const on = (place: (cell: number) => number) =>
          threshold(
            given.map(({ cell, right }) => ({ confidence: place(cell), right })),
            options,
          );
        const { threshold: low, ...first } = on((cell) => cell / 100);
        const { threshold: high, ...second } = on((cell) => (cell * 2 + 10) / 100);
        expect(second).toEqual(first);
        expect(high === null).toBe(low === null);
      }),
    );
  });

  it('leaves out rows without a confidence', () => {
    const confidences = [...Array<number>(60).fill(0.9), null, Number.NaN, 1.2];
    const found = deployableThreshold(confidences, [...Array<number>(60).fill(1), 0, 0, 0]);
    expect(found).toMatchObject({ threshold: 0.9, n: 60, errors: 0 });
  });

  it('chooses false thresholds less often than promised where every threshold is false', () => {
    // The hardest case: a risk just above the promised one at every confidence.
    const random = pseudoRandom(7);
    let chosen = 0;
    for (let draw = 0; draw < 400; draw++) {
      const given = Array.from({ length: 200 }, () => ({
        confidence: 0.6 + Math.floor(random() * 10) * 0.04,
        right: random() >= 0.0501,
      }));
      if (threshold(given, {}).threshold !== null) chosen += 1;
    }
    expect(chosen / 400).toBeLessThanOrEqual(0.1);
  });

  function threshold(
    given: readonly { readonly confidence: number; readonly right: boolean }[],
    options: object,
  ) {
    return deployableThreshold(
      given.map(({ confidence }) => confidence),
      given.map(({ right }) => right),
      options,
    );
  }
});

it('has an exact bound at the risk exactly where the p-value is at delta', () => {
  const counts = fc
    .integer({ min: 1, max: 400 })
    .chain((n) => fc.tuple(fc.nat({ max: n - 1 }), fc.constant(n)));
  fc.assert(
    fc.property(counts, promise, ([errors, n], { risk, delta }) => {
      const p = riskPValue(errors, n, risk);
      fc.pre(Math.abs(p - delta) > 1e-9);
      expect(exactUpperBound(errors, n, 1 - delta)! <= risk).toBe(p <= delta);
    }),
  );
});

describe('thresholdReport', () => {
  it('defers everything without a threshold', () => {
    expect(thresholdReport(['right', 'wrong'], [1, 1], null)).toEqual({
      n: 2,
      answered: 0,
      errors: 0,
      coverage: 0,
      risk: null,
      riskUpper: null,
      deferredPer100: 100,
      errorsPer100: 0,
    });
    expect(thresholdReport([], [], 0.5)).toBeNull();
  });

  it('accepts a confidence that rounding put a hair below the threshold', () => {
    expect(thresholdReport(['right'], [0.1 + 0.2 - 1e-12], 0.3)).toMatchObject({ answered: 1 });
  });
});

describe('recalibration', () => {
  const both = (given: readonly { confidence: number; right: boolean }[]) =>
    [given.map(({ confidence }) => confidence), given.map(({ right }) => right)] as const;

  it('isotonic values rise, and their weighted mean is the share of right answers', () => {
    fc.assert(
      fc.property(rows, (given) => {
        const [confidences, correct] = both(given);
        const blocks = isotonicFit(confidences, correct)!;
        for (let i = 1; i < blocks.length; i++) {
          expect(blocks[i]!.value).toBeGreaterThan(blocks[i - 1]!.value);
          expect(blocks[i]!.from).toBeGreaterThan(blocks[i - 1]!.to);
        }
        const sum = blocks.reduce((total, { n, value }) => total + n * value, 0);
        expect(sum / given.length).toBeCloseTo(correct.filter(Boolean).length / given.length, 9);
        const predicted = isotonicPredict(blocks, confidences);
        expect(predicted.every((value) => value >= 0 && value <= 1)).toBe(true);
      }),
    );
  });

  it('Platt reaches a flat gradient on any rows', () => {
    fc.assert(
      fc.property(rows, (given) => {
        const [confidences, correct] = both(given);
        const map = plattFit(confidences, correct)!;
        const right = correct.filter(Boolean).length;
        const target = (value: boolean) =>
          value ? (right + 1) / (right + 2) : 1 / (correct.length - right + 2);
        const predicted = plattPredict(map, confidences);
        const gradient = predicted.reduce((sum, p, i) => sum + p - target(correct[i]!), 0);
        expect(Math.abs(gradient)).toBeLessThan(1e-6);
      }),
    );
  });

  it('has nothing to fit without rows', () => {
    expect([isotonicFit([], []), plattFit([], [])]).toEqual([null, null]);
  });

  it('turns confidence round where wrong answers carry more of it', () => {
    expect(plattFit([0.6, 0.6, 0.9, 0.9], [1, 1, 0, 0])!.a).toBeLessThan(0);
  });
});

/** A small generator of its own: the test must not depend on the one that it could be used with. */
function pseudoRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
