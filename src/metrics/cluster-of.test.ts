import { expect, it } from 'vitest';
import { type EvaluationResult, evaluationResult } from '../core/evaluation-result.ts';
import { accuracy } from './catalogue.ts';
import { buildTable } from './columns.ts';
import { findCluster } from './resample.ts';

const rows = (more: (i: number) => Partial<EvaluationResult>) =>
  Array.from({ length: 24 }, (_, i) =>
    evaluationResult({ id: `r${i}`, prediction: i % 3, groundTruth: 1, ...more(i) }),
  );
const keyOf = (given: readonly EvaluationResult[], wanted?: string) =>
  findCluster(buildTable(given, { keep: ['patient'] }).scored, wanted)?.key ?? null;

it('draws rows alone, records that were asked again together, and calls before records', () => {
  expect(keyOf(rows(() => ({})))).toBeNull();
  expect(keyOf(rows((i) => ({ id: `r${i % 12}` })))).toBe('id');
  const called = rows((i) => ({ id: `r${i % 12}`, call: `c${Math.floor((i % 12) / 4)}` }));
  expect([keyOf(called), keyOf(called, 'id')]).toEqual(['call', 'call']);
  expect(accuracy().compute(called).interval).toMatchObject({ unit: 'cluster' });
});

it('draws by a key that makes fewer clusters than the calls do', () => {
  const called = (patients: number) =>
    rows((i) => ({ call: `c${Math.floor(i / 4)}`, metadata: { patient: Math.floor((i * patients) / 24) } }));
  expect([keyOf(called(3), 'patient'), keyOf(called(12), 'patient')]).toEqual(['patient', 'call']);
});
