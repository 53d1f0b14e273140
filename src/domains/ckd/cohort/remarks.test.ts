import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../statistics/random.ts';
import { CONTEXTS } from '../case.ts';
import { drawRemark } from './generate-cohort.ts';

const drawn = (sex: 'female' | 'male', age: number) => {
  const random = createRandom(5);
  return Array.from({ length: 3000 }, () => drawRemark(random, { sex, age }));
};
const texts = (sex: 'female' | 'male', age: number) =>
  new Set(drawn(sex, age).filter((text) => text !== null));

describe('drawRemark', () => {
  it('has one for about one person in seven', () => {
    const share = drawn('male', 40).filter((text) => text !== null).length / 3000;
    expect(share).toBeCloseTo(0.15, 1);
  });

  it('is never one of the contexts that matter', () => {
    const matter: readonly string[] = Object.values(CONTEXTS);
    for (const age of [5, 30, 70])
      for (const text of texts('female', age)) expect(matter).not.toContain(text);
  });

  it('fits age and sex', () => {
    expect(texts('female', 30)).toContain('gave birth six years ago');
    expect(texts('male', 30)).not.toContain('gave birth six years ago');
    expect([...texts('male', 7)].join()).not.toMatch(/work|smoker|gym|hearing|cataract|pregnant/);
    expect(texts('male', 70)).toContain('cataract surgery last year');
  });

  it('takes as many draws for everybody', () => {
    const next = (age: number) => {
      const random = createRandom(8);
      for (let i = 0; i < 50; i++) drawRemark(random, { sex: 'male', age });
      return random.float();
    };
    expect(next(5)).toBe(next(80));
  });
});
