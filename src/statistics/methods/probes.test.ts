import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cellMatch, clopperPearson, completionProbe, permutationTest } from './completion.ts';
import { counterfactualGap, tostPaired } from './equivalence.ts';
import { confidenceChange, decisionShift, flipExcess, flipRate, pairedDifferenceInterval } from './flips.ts';
import { contrastPairs, deferralUptake, pressureResponse, revisionRate } from './responses.ts';

const decision = fc.option(fc.constantFrom('0', '1', 'abstain', 'invalid'), { nil: null });

function expectSound(result: object | null): void {
  for (const value of Object.values(result ?? {}))
    if (typeof value === 'number') expect(Number.isFinite(value)).toBe(true);
}

it('every function is sound for any decisions, and null or empty without them', () => {
  const row = fc.record({
    base: decision,
    pressed: decision,
    second: decision,
    variant: decision,
    suggested: decision,
    truth: decision,
    truthBase: decision,
    truthVariant: decision,
  });
  fc.assert(
    fc.property(fc.array(row, { maxLength: 20 }), (rows) => {
      expectSound(flipRate(rows.map(({ base, variant }) => [base, variant])));
      expectSound(flipExcess(rows.map(({ base, second, variant }) => [base, second, variant])));
      expectSound(pressureResponse(rows));
      expectSound(revisionRate(rows));
      expectSound(contrastPairs(rows));
      expectSound(
        decisionShift(
          rows.map(({ base, second, variant, pressed }) => ({
            base: [base, second],
            variant: [variant, pressed],
          })),
        ),
      );
      const { nRightFirst, capitulationRate, held, toAbstain, toOther } = pressureResponse(rows);
      expect(Math.round((capitulationRate ?? 0) * nRightFirst) + held + toAbstain + toOther).toBe(
        nRightFirst,
      );
    }),
  );
  expect([flipExcess([]), revisionRate([]), contrastPairs([]), decisionShift([])]).toEqual([
    null,
    null,
    null,
    null,
  ]);
  expect(flipRate([])).toEqual({ rate: null, flips: 0, n: 0, lower: null, upper: null });
  expect(deferralUptake([])).toMatchObject({ uptake: null, specific: null, p: null });
  expect(deferralUptake([[false, true]])).toMatchObject({
    uptake: 1,
    controlUptake: null,
    specificInterval: null,
  });
  expect(pairedDifferenceInterval({ b: 0, c: 0, n: 0 })).toBeNull();
});

it('the shift between identical lists is not above 0', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(fc.constantFrom('0', '1', 'abstain'), { minLength: 2, maxLength: 5 }), {
        minLength: 1,
        maxLength: 10,
      }),
      (lists) => {
        expect(
          decisionShift(lists.map((runs) => ({ base: runs, variant: runs })))!.shift,
        ).toBeLessThanOrEqual(1e-12);
      },
    ),
  );
});

describe('equivalence', () => {
  it('implies an interval inside the margin', () => {
    const outcome = fc.constantFrom(0, 1);
    fc.assert(
      fc.property(
        fc.array(fc.tuple(outcome, outcome), { maxLength: 60 }),
        fc.double({ min: 0.01, max: 0.5, noNaN: true }),
        (pairs, margin) => {
          const found = tostPaired(
            pairs.map(([a]) => a),
            pairs.map(([, b]) => b),
            { margin },
          );
          expectSound(found);
          if (!found?.equivalent) return;
          if (found.lower !== null) expect(found.lower > -margin && found.upper! < margin).toBe(true);
          else expect(found.bound).toBeLessThan(margin);
        },
      ),
    );
  });

  it('needs 59 pairs without a change for five points', () => {
    const same = (n: number) => tostPaired(Array(n).fill(1), Array(n).fill(1), { margin: 0.05 })!.equivalent;
    expect([58, 59].map(same)).toEqual([false, true]);
  });

  it('a constant difference is not equivalence', () => {
    expect(tostPaired([0, 0, 0], [1, 1, 1], { margin: 0.05 })).toMatchObject({
      equivalent: false,
      bound: null,
      se: 0,
    });
  });

  it('names no worst group on a tie, and has no Q where nothing differs', () => {
    const same = counterfactualGap(
      ['a', 'b'],
      [
        { a: 1, b: 1 },
        { a: 0, b: 0 },
      ],
      { margin: 0.1 },
    );
    expect(same).toMatchObject({ gap: 0, worstGroup: null, cochranQ: null, pQ: null });
    expect(counterfactualGap(['a', 'b'], [{ a: 1, b: null }], { margin: 0.1 })).toBeNull();
  });
});

describe('confidence', () => {
  it('has no exact interval below six records, and none without variation', () => {
    const change = (n: number) =>
      confidenceChange(
        Array(n).fill(0.9),
        Array.from({ length: n }, (_, i) => 0.5 + i / 100),
      )!;
    expect([change(5).hlLower, change(6).hlLower]).toEqual([null, -0.4]);
    expect(confidenceChange([0.9, 0.9], [0.8, 0.8])).toMatchObject({ lower: null, nDown: 2 });
    expect(confidenceChange([null], [0.5])).toBeNull();
  });

  it('the normal cut for many records is near the exact one', () => {
    const values = (n: number) => Array.from({ length: n }, (_, i) => ((i * 37) % 101) / 100);
    const width = (n: number) => {
      const found = confidenceChange(Array(n).fill(0.5), values(n))!;
      return found.hlUpper! - found.hlLower!;
    };
    expect(Math.abs(width(51) - width(50))).toBeLessThan(0.03);
  });
});

describe('completion', () => {
  it('matches cells by value, and never a missing one', () => {
    expect(cellMatch('0', 0)).toEqual({ exact: true, near: true });
    expect(cellMatch(0, 0.001)).toEqual({ exact: false, near: false });
    expect(cellMatch(100, 104)).toEqual({ exact: false, near: true });
    expect(cellMatch(null, null)).toEqual({ exact: false, near: false });
    expect(cellMatch('yes', 1)).toEqual({ exact: false, near: false });
  });

  it('tries all splits, or draws the same ones each time', () => {
    const many = Array.from({ length: 30 }, (_, i) => i % 2);
    expect(permutationTest([1], [1, 1])).toEqual({ difference: 0, p: 1, nSplits: 3 });
    expect(permutationTest([], [1])).toBeNull();
    expect(permutationTest(many, many)).toEqual(permutationTest(many, many));
    expect(permutationTest(many, many)!.nSplits).toBe(9_999);
    expect(permutationTest([0], [1], { alternative: 'two_sided' })!.p).toBe(1);
  });

  it('has nothing to compare without generated rows', () => {
    expect(completionProbe([{ source: 'public', cells: [{ true: 1, completed: 1 }] }]).exact).toEqual({
      public: 1,
      generated: null,
      difference: null,
      p: null,
    });
  });

  it('clopperPearson agrees with the known ends', () => {
    expect(clopperPearson(0, 0)).toBeNull();
    expect(clopperPearson(10, 10)![1]).toBe(1);
    expect(clopperPearson(0, 59)![1]).toBeCloseTo(1 - 0.025 ** (1 / 59), 9);
  });
});
