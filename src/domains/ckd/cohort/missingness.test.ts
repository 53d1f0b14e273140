import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../statistics/random.ts';
import { UCI_FEATURES } from '../source/columns.ts';
import { drawMissedAtVisits, drawMissing, MISSING_BLOCKS, missingRate } from './missingness.ts';

function draw(...args: [arm: 'independent' | 'informative', of: 'ckd' | 'notckd']) {
  const random = createRandom(14);
  return Array.from({ length: 20_000 }, () => drawMissing(random, ...args));
}
const share = (drawn: ReturnType<typeof draw>, column: Parameters<(typeof drawn)[number]['has']>[0]) =>
  drawn.filter((missing) => missing.has(column)).length / drawn.length;

describe('drawMissing', () => {
  it('has the published rates, of the class in the informative arm', () => {
    const independent = draw('independent', 'ckd');
    const ckd = draw('informative', 'ckd');
    const notckd = draw('informative', 'notckd');
    for (const { name } of UCI_FEATURES) {
      if (name === 'age') continue;
      expect(Math.abs(share(independent, name) - missingRate(name, 'independent'))).toBeLessThan(0.012);
      expect(Math.abs(share(ckd, name) - missingRate(name, 'ckd'))).toBeLessThan(0.012);
      expect(Math.abs(share(notckd, name) - missingRate(name, 'notckd'))).toBeLessThan(0.012);
    }
    expect(share(independent, 'acr')).toBeCloseTo(0.18, 1);
    expect(share(independent, 'age')).toBe(0);
  });

  it('does not look at the class in the independent arm', () => {
    expect(draw('independent', 'ckd')).toEqual(draw('independent', 'notckd'));
  });

  it('loses what belongs together, together', () => {
    const drawn = draw('independent', 'ckd');
    const sodium = drawn.filter((missing) => missing.has('sod'));
    expect(sodium.filter((missing) => missing.has('pot')).length / sodium.length).toBeGreaterThan(0.9);
    const urea = drawn.filter((missing) => missing.has('bu'));
    expect(urea.filter((missing) => missing.has('sc')).length / urea.length).toBeGreaterThan(0.8);
  });

  it('covers every column but age once', () => {
    const columns = UCI_FEATURES.map(({ name }) => name).filter((name) => name !== 'age');
    expect(MISSING_BLOCKS.flat().toSorted()).toEqual(columns.toSorted());
  });
});

describe('drawMissedAtVisits', () => {
  const drawn = Array.from({ length: 5000 }, (_, i) => drawMissedAtVisits(createRandom(i), 4)).flat();

  it('misses a creatinine, and an ACR, now and then', () => {
    expect(drawn.filter(({ creatinine }) => creatinine).length / drawn.length).toBeCloseTo(0.18, 2);
    expect(drawn.filter(({ acr }) => acr).length / drawn.length).toBeCloseTo(0.12, 1);
  });

  it('takes as many draws however many visits there are', () => {
    const next = (visits: number) => {
      const random = createRandom(3);
      expect(drawMissedAtVisits(random, visits)).toHaveLength(visits);
      return random.float();
    };
    expect(next(3)).toBe(next(5));
  });
});
