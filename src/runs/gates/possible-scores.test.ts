import { expect, it } from 'vitest';
import { rowsFrom } from '../../../test/compare-fixture.ts';
import { endpointFor } from '../../analyses/comparison/endpoints.ts';
import { scoredRun } from '../../analyses/comparison/scored-run.ts';
import type { EvaluationResult } from '../../core/evaluation-result.ts';
import { accuracy, decisionAccuracy } from '../../metrics/catalogue.ts';
import { possibleScores } from './non-inferiority.ts';

const scores = (rows: readonly EvaluationResult[], metric = accuracy()) => [
  ...possibleScores(scoredRun(rows), endpointFor(metric))!.values(),
];

it('is the score itself where every row was answered', () => {
  expect(scores(rowsFrom('+-o'))).toEqual([
    { least: 1, most: 1 },
    { least: 0, most: 0 },
    { least: 0, most: 0 },
  ]);
});

it('lets a row that failed or never ran be anything', () => {
  expect(scores(rowsFrom('x?'))).toEqual([
    { least: 0, most: 1 },
    { least: 0, most: 1 },
  ]);
});

it('takes the mean of repeats, those that failed among them', () => {
  expect(scores([...rowsFrom('+'), ...rowsFrom('x'), ...rowsFrom('-'), ...rowsFrom('x')])).toEqual([
    { least: 0.25, most: 0.75 },
  ]);
  expect(scores([...rowsFrom('+'), ...rowsFrom('+'), ...rowsFrom('x')])).toEqual([{ least: 2 / 3, most: 1 }]);
  expect(scores([...rowsFrom('+'), ...rowsFrom('x')])).toEqual([{ least: 0.5, most: 1 }]);
});

it('leaves out what the endpoint does not speak of', () => {
  expect(scores(rowsFrom('+x', { metadata: {} }), decisionAccuracy())).toEqual([]);
  expect(scores(rowsFrom('x'), decisionAccuracy())).toEqual([{ least: 0, most: 1 }]);
});
