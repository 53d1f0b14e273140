import { describe, expect, it } from 'vitest';
import { type EvaluationResult, evaluationResult } from '../../core/evaluation-result.ts';
import { buildTable } from '../../metrics/columns.ts';
import { exactUpperBound } from '../../statistics/proportions.ts';
import { confidenceSteps } from './confidence-steps.ts';

const METHOD = { level: 0.95, seed: 42, resamples: 0, cluster: null, stratified: false } as const;
const RUN = {
  status: 'complete',
  method: { ...METHOD, generator: 'xoroshiro128plus' },
} as const;

let next = 0;
function row(more: Partial<EvaluationResult>): EvaluationResult {
  next += 1;
  return evaluationResult({ id: `r${next}`, groundTruth: 'a', prediction: 'a', confidence: 0.9, ...more });
}

const canAnswer = { should_abstain: false, must_act: false };
const emergency = { should_abstain: false, must_act: true };
const rows = [
  row({ confidence: 0.9, metadata: canAnswer }),
  row({ confidence: 0.8, metadata: emergency }),
  row({ confidence: 0.7, metadata: { should_abstain: true } }),
  row({ confidence: 0.6, prediction: 'b', metadata: canAnswer }),
  row({ confidence: null, metadata: canAnswer }),
  row({ abstained: true, prediction: null, metadata: emergency }),
  row({ state: 'invalid', prediction: null, metadata: canAnswer }),
];
const unlabelled = row({ groundTruth: null, confidence: 0.7, metadata: { must_act: null } });

describe('confidenceSteps', () => {
  it('counts failures strictly', () => {
    const steps = confidenceSteps(buildTable(rows), RUN);
    expect(steps.every(({ n_judged }) => n_judged === 7)).toBe(true);
    expect(steps.map(({ threshold, n, errors }) => [threshold, n, errors])).toEqual([
      [0.9, 1, 0],
      [0.8, 2, 0],
      // Right, but the case should have been deferred.
      [0.7, 3, 1],
      [0.6, 4, 2],
    ]);
    expect(steps.map(({ bound }) => bound)).toEqual(
      [
        [0, 1],
        [0, 2],
        [1, 3],
        [2, 4],
      ].map(([errors, n]) => exactUpperBound(errors!, n!)),
    );
  });

  it('does not judge an accepted answer without a label', () => {
    const steps = confidenceSteps(buildTable([...rows, unlabelled]), RUN);
    expect(steps.map(({ n, n_judged }) => [n, n_judged])).toEqual([
      [1, 7],
      [2, 7],
      [3, 7],
      [4, 7],
    ]);
  });

  it('has no bounds after an early stop', () => {
    const steps = confidenceSteps(buildTable(rows), { ...RUN, status: 'stopped_early' });
    expect(steps.map(({ bound }) => bound)).toEqual([null, null, null, null]);
  });
});
