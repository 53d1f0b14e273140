import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nonInferiority, pairedScoreInterval } from './paired-score-interval.ts';

const counts = fc
  .tuple(
    fc.integer({ min: 1, max: 2000 }),
    fc.double({ min: 0, max: 1, noNaN: true }),
    fc.double({ min: 0, max: 1, noNaN: true }),
  )
  .map(([n, discordant, first]) => {
    const total = Math.round(2 * n * discordant) / 2;
    const b = Math.round(2 * total * first) / 2;
    return { b, c: total - b, n };
  });

describe('pairedScoreInterval', () => {
  it.each([
    [{ b: 0, c: 0, n: 2 }, 0.95, [-0.6576197724933468, 0.6576197724933468]],
    [{ b: 5, c: 3, n: 100 }, 0.95, [-0.042477104082168926, 0.08681188633151418]],
    [{ b: 12, c: 2, n: 50 }, 0.9, [0.08547438245683628, 0.32041338630714444]],
    [{ b: 0, c: 9, n: 60 }, 0.95, [-0.2611458906977855, -0.08080237003659169]],
  ])('agrees with the reference for %o at %d', (pairs, level, expected) => {
    const found = pairedScoreInterval(pairs, level)!;
    expect(found[0]).toBeCloseTo(expected[0]!, 9);
    expect(found[1]).toBeCloseTo(expected[1]!, 9);
  });

  it('has a width where no pair is discordant: z^2 / (n + z^2) to either side', () => {
    const z2 = 1.959963984540054 ** 2;
    for (const n of [1, 2, 20, 1000]) {
      const [lower, upper] = pairedScoreInterval({ b: 0, c: 0, n })!;
      expect(upper).toBeCloseTo(z2 / (n + z2), 10);
      expect(lower).toBe(-upper);
    }
  });

  it('includes the estimate, lies within -1 to 1, and turns with the models, for fractions too', () => {
    fc.assert(
      fc.property(counts, fc.constantFrom(0.5, 0.9, 0.95, 0.999), ({ b, c, n }, level) => {
        const [lower, upper] = pairedScoreInterval({ b, c, n }, level)!;
        expect(lower).toBeGreaterThanOrEqual(-1);
        expect(upper).toBeLessThanOrEqual(1);
        expect(lower).toBeLessThanOrEqual((b - c) / n);
        expect(upper).toBeGreaterThanOrEqual((b - c) / n);
        expect(pairedScoreInterval({ b: c, c: b, n }, level)).toEqual([-upper, -lower]);
      }),
    );
  });

  it('keeps an estimate of 1 or -1 as its own limit', () => {
    expect(pairedScoreInterval({ b: 7, c: 0, n: 7 })![1]).toBe(1);
    expect(pairedScoreInterval({ b: 0, c: 7, n: 7 })![0]).toBe(-1);
  });

  it('is null without pairs, and refuses counts that cannot be', () => {
    expect(pairedScoreInterval({ b: 0, c: 0, n: 0 })).toBeNull();
    for (const pairs of [
      { b: 3, c: 3, n: 5 },
      { b: -1, c: 0, n: 5 },
      { b: 0, c: Number.NaN, n: 5 },
    ])
      expect(() => pairedScoreInterval(pairs)).toThrow('expected counts of at least 0');
    expect(() => pairedScoreInterval({ b: 0, c: 0, n: 5 }, 95)).toThrow('confidence level is 95');
  });
});

describe('nonInferiority', () => {
  it('has three states, and an interval that touches the margin decides nothing', () => {
    expect(nonInferiority([-0.01, 0.03], 0.02)).toBe('pass');
    expect(nonInferiority([-0.09, -0.03], 0.02)).toBe('fail');
    expect(nonInferiority([-0.09, 0.03], 0.02)).toBe('undecided');
    expect(nonInferiority([-0.02, 0.03], 0.02)).toBe('undecided');
    expect(nonInferiority([-0.09, -0.02], 0.02)).toBe('undecided');
  });

  it('cannot pass with two rows', () => {
    expect(nonInferiority(pairedScoreInterval({ b: 0, c: 0, n: 2 })!, 0.02)).toBe('undecided');
  });

  it('refuses a margin that is none', () => {
    for (const margin of [-0.1, Number.NaN, Infinity])
      expect(() => nonInferiority([0, 0], margin)).toThrow('the margin is');
  });
});
