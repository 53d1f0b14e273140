import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stratifiedOrder } from './stratified.ts';

interface Item {
  readonly name: number;
  readonly stratum: number;
}

const getStratum = (item: Item) => item.stratum;
const items = fc
  .array(fc.integer({ min: 0, max: 7 }), { maxLength: 150 })
  .map((list) => list.map((stratum, name): Item => ({ name, stratum })));
const seed = fc.integer();

describe('stratifiedOrder', () => {
  it('has every item once', () => {
    fc.assert(
      fc.property(items, seed, (all, start) => {
        const order = stratifiedOrder(all, getStratum, start);
        expect(order.toSorted((a, b) => a.name - b.name)).toEqual(all);
      }),
    );
  });

  it('is stratified at every beginning, as well as possible', () => {
    fc.assert(
      fc.property(items, seed, (all, start) => {
        const sizes = [...Map.groupBy(all, getStratum)].map(([stratum, { length }]) => ({ stratum, length }));
        const farthest = sizes.length < 2 ? 0 : 1 - 1 / (2 * sizes.length - 2);
        const counts = new Map<number, number>();
        stratifiedOrder(all, getStratum, start).forEach(({ stratum }, i) => {
          counts.set(stratum, (counts.get(stratum) ?? 0) + 1);
          for (const { stratum: each, length } of sizes) {
            const quota = ((i + 1) * length) / all.length;
            expect(Math.abs((counts.get(each) ?? 0) - quota)).toBeLessThanOrEqual(farthest + 1e-9);
          }
        });
      }),
      { numRuns: 300 },
    );
  });

  it('depends on order, strata and seed alone', () => {
    fc.assert(
      fc.property(items, seed, (all, start) => {
        const names = (list: readonly Item[]) => list.map(({ name }) => name);
        const renamed = all.map(({ name, stratum }) => ({ name, stratum: stratum * 10, more: 1 }));
        expect(names(stratifiedOrder(renamed, getStratum, start))).toEqual(
          names(stratifiedOrder(all, getStratum, start)),
        );
      }),
    );
  });

  it('differs by seed within a stratum', () => {
    const all = Array.from({ length: 30 }, (_, name) => ({ name, stratum: 0 }));
    expect(stratifiedOrder(all, getStratum, 1)).not.toEqual(stratifiedOrder(all, getStratum, 2));
    expect(stratifiedOrder(all, getStratum, 1)).not.toEqual(all);
  });

  it('holds for many records', () => {
    const all = Array.from({ length: 20_000 }, (_, name) => ({ name, stratum: name % 5 === 0 ? 1 : 0 }));
    const first = stratifiedOrder(all, getStratum, 3).slice(0, 1000);
    expect(first.filter(({ stratum }) => stratum === 1)).toHaveLength(200);
  });
});
