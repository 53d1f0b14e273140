import { describe, expect, it } from 'vitest';
import { evaluationResult } from '../core/evaluation-result.ts';
import { buildTable } from '../metrics/columns.ts';
import { scoreTable } from '../metrics/score.ts';
import { readScoring } from '../runs/scoring-for.ts';
import { checkResamples, MAX_RESAMPLES } from './score-options.ts';

describe('the number of resamples', () => {
  it('has a bound, so that no number takes all memory', () => {
    expect([0, 1, MAX_RESAMPLES].map(checkResamples)).toEqual([0, 1, MAX_RESAMPLES]);
    const rows = [evaluationResult({ prediction: 'a', groundTruth: 'a' })];
    for (const resamples of [1e9, -1, 0.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      const refused = expect.objectContaining({
        code: 'ERR_ARGUMENT',
        message: `resamples is ${resamples}; expected a whole number from 0 to 100000`,
      });
      expect(() => checkResamples(resamples)).toThrow(refused);
      expect(() => scoreTable(buildTable(rows), { resamples })).toThrow(refused);
    }
    // A run file from elsewhere may say anything.
    expect(readScoring({ resamples: 1e9 }).scoring).toEqual({});
    expect(readScoring({ resamples: 500 }).scoring).toEqual({ resamples: 500 });
  });
});
