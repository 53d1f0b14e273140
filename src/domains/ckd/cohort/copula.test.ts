import { describe, expect, it } from 'vitest';
import { KrisisError } from '../../../core/errors.ts';
import { createRandom } from '../../../statistics/random.ts';
import { cholesky, normal, normalCorrelation } from '../../cohort/distributions.ts';
import { drawScores } from './analytes.ts';
import { PUBLISHED_SPEARMAN } from './published.ts';

describe('drawScores', () => {
  it('keeps what is known and has standard normal margins and the correlations of the source', () => {
    const random = createRandom(3);
    const rows = Array.from({ length: 20_000 }, () =>
      drawScores(random, knownScores(normal(random), normal(random), normal(random))),
    );
    const moment = (a: 'hemo' | 'pcv' | 'pot', b: 'hemo' | 'pcv' | 'pot') =>
      rows.reduce((sum, row) => sum + row[a] * row[b], 0) / rows.length;
    expect(moment('hemo', 'hemo')).toBeCloseTo(1, 1);
    expect(Math.abs(moment('hemo', 'pcv') - normalCorrelation(0.9394))).toBeLessThan(0.02);
  });

  it('moves urea up and haemoglobin down with creatinine', () => {
    const meanAt = (sc: number, column: 'bu' | 'hemo' | 'pot') => {
      const random = createRandom(4);
      let sum = 0;
      for (let i = 0; i < 2000; i++) sum += drawScores(random, { age: 0, sc, al: 0 })[column];
      return sum / 2000;
    };
    expect(meanAt(2, 'bu') - meanAt(-2, 'bu')).toBeGreaterThan(3);
    expect(meanAt(2, 'hemo') - meanAt(-2, 'hemo')).toBeLessThan(-1.5);
    expect(meanAt(2, 'pot') - meanAt(-2, 'pot')).toBeGreaterThan(0.5);
  });
});

describe('normalCorrelation', () => {
  it('is as strong at the ends and a little stronger between them', () => {
    expect(normalCorrelation(1)).toBeCloseTo(1, 12);
    expect(normalCorrelation(-1)).toBeCloseTo(-1, 12);
    expect(normalCorrelation(0.5)).toBeCloseTo(0.5176, 4);
  });
});

describe('cholesky', () => {
  it('refuses a matrix that is not a correlation matrix', () => {
    expect(() =>
      cholesky([
        [1, 2],
        [2, 1],
      ]),
    ).toThrow(KrisisError);
  });
});

/** Three known scores with the correlations they have among themselves. */
function knownScores(a: number, b: number, c: number) {
  const rho = (row: string, column: string) => {
    const names = Object.keys(PUBLISHED_SPEARMAN);
    const [i, j] = [names.indexOf(row), names.indexOf(column)];
    return normalCorrelation(Object.values(PUBLISHED_SPEARMAN)[Math.max(i, j)]![Math.min(i, j)]!);
  };
  const factor = cholesky([
    [1, rho('age', 'sc'), rho('age', 'al')],
    [rho('age', 'sc'), 1, rho('sc', 'al')],
    [rho('age', 'al'), rho('sc', 'al'), 1],
  ]);
  const [age, sc, al] = factor.map((row) => row.reduce((sum, l, k) => sum + l * [a, b, c][k]!, 0));
  return { age: age!, sc: sc!, al: al! };
}
