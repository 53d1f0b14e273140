import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KrisisError } from '../../core/errors.ts';
import { stratifiedSplit } from './stratified.ts';

interface Item {
  readonly name: number;
  readonly stratum: string;
}

const strata = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { minLength: 2, maxLength: 120 });
const items = strata.map((list) => list.map((stratum, name): Item => ({ name, stratum })));
const seed = fc.integer();
const share = fc.double({ min: 0.05, max: 0.95, noNaN: true });
const getStratum = (item: Item) => item.stratum;
const sizes = (list: readonly Item[]) =>
  new Map([...Map.groupBy(list, getStratum)].map(([stratum, members]) => [stratum, members.length]));

describe('stratifiedSplit', () => {
  it('loses nothing, doubles nothing and keeps the order', () => {
    fc.assert(
      fc.property(items, share, seed, (all, testSize, start) => {
        const { train, test } = stratifiedSplit(all, getStratum, { testSize, seed: start });
        for (const part of [train, test]) expect(part).toEqual(part.toSorted((a, b) => a.name - b.name));
        expect([...train, ...test].toSorted((a, b) => a.name - b.name)).toEqual(all);
      }),
    );
  });

  it('has someone of every stratum of two or more on each side', () => {
    fc.assert(
      fc.property(items, share, seed, (all, testSize, start) => {
        const { train, test } = stratifiedSplit(all, getStratum, { testSize, seed: start });
        for (const [stratum, size] of sizes(all)) {
          if (size < 2) continue;
          expect(sizes(train).get(stratum)).toBeGreaterThan(0);
          expect(sizes(test).get(stratum)).toBeGreaterThan(0);
        }
      }),
    );
  });

  it('has the exact size, each stratum within one of its quota, where strata are large enough', () => {
    const large = fc.array(fc.integer({ min: 10, max: 80 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(large, fc.double({ min: 0.2, max: 0.8, noNaN: true }), seed, (counts, testSize, start) => {
        const all = counts.flatMap((count, i) =>
          Array.from({ length: count }, (_, k) => ({ name: 100 * i + k, stratum: `s${i}` })),
        );
        const { test } = stratifiedSplit(all, getStratum, { testSize, seed: start });
        expect(test).toHaveLength(Math.round(testSize * all.length));
        counts.forEach((count, i) => {
          const quota = (test.length * count) / all.length;
          expect(Math.abs(sizes(test).get(`s${i}`)! - quota)).toBeLessThan(1);
        });
      }),
    );
  });

  it('depends on order, strata and seed alone', () => {
    fc.assert(
      fc.property(items, share, seed, (all, testSize, start) => {
        const names = (list: readonly Item[]) => list.map(({ name }) => name);
        const { test } = stratifiedSplit(all, getStratum, { testSize, seed: start });
        const renamed = all.map((item) => ({ ...item, stratum: item.stratum.toUpperCase(), more: {} }));
        const again = stratifiedSplit(renamed, getStratum, { testSize, seed: start });
        expect(names(again.test)).toEqual(names(test));
      }),
    );
  });

  it('gives another part for another seed, and everyone a turn', () => {
    const all = Array.from({ length: 40 }, (_, name) => ({ name, stratum: name % 4 === 0 ? 'a' : 'b' }));
    const turns = new Array<number>(40).fill(0);
    for (let start = 0; start < 400; start++) {
      for (const { name } of stratifiedSplit(all, getStratum, { testSize: 0.2, seed: start }).test)
        turns[name]!++;
    }
    // 80 expected, standard deviation 8
    expect(Math.min(...turns)).toBeGreaterThan(48);
    expect(Math.max(...turns)).toBeLessThan(112);
  });

  it('splits the UCI classes 250 and 150 into 200 + 120 and 50 + 30', () => {
    const all = Array.from({ length: 400 }, (_, name) => ({ name, stratum: name < 250 ? 'ckd' : 'notckd' }));
    const { train, test } = stratifiedSplit(all, getStratum, { testSize: 0.2, seed: 42 });
    expect(Object.fromEntries(sizes(train))).toEqual({ ckd: 200, notckd: 120 });
    expect(Object.fromEntries(sizes(test))).toEqual({ ckd: 50, notckd: 30 });
  });

  it('takes a count as well', () => {
    const all = Array.from({ length: 9 }, (_, name) => ({ name, stratum: 'a' }));
    expect(stratifiedSplit(all, getStratum, { testSize: 4, seed: 1 }).test).toHaveLength(4);
    expect(stratifiedSplit(all, getStratum, { testSize: 1, seed: 1 }).test).toHaveLength(1);
  });

  it('lets small strata come before the size', () => {
    const all = Array.from({ length: 10 }, (_, name) => ({ name, stratum: `s${name % 5}` }));
    expect(stratifiedSplit(all, getStratum, { testSize: 0.1, seed: 1 }).test).toHaveLength(5);
  });

  it('splits nothing into nothing', () => {
    expect(stratifiedSplit([], String, { testSize: 0.2, seed: 1 })).toEqual({ train: [], test: [] });
  });

  it.each([0, -0.2, 1.5, 9, 10, Number.NaN, Number.POSITIVE_INFINITY])('refuses a size of %d', (testSize) => {
    const all = Array.from({ length: 9 }, (_, name) => ({ name, stratum: 'a' }));
    expect(() => stratifiedSplit(all, getStratum, { testSize, seed: 1 })).toThrow(KrisisError);
  });
});
