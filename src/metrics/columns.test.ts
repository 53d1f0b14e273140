import { expect, it } from 'vitest';
import { evaluationResult } from '../core/evaluation-result.ts';
import { buildTable } from './columns.ts';

it('counts rows to act upon and to defer, also where the label says to act', () => {
  const row = (groundTruth: string, metadata: object) =>
    evaluationResult({ groundTruth, prediction: 'home', metadata: { should_abstain: true, ...metadata } });
  const rows = [row('em', {}), row('home', {}), row('home', { must_act: true })];
  expect(buildTable(rows).nContradictions).toBe(1);
  const byLabel = buildTable(rows, { actLabels: ['em'] });
  expect(byLabel.nContradictions).toBe(2);
  expect([...byLabel.scored.shouldAbstain], 'their deferral label is ignored').toEqual([-1, 1, -1]);
});
