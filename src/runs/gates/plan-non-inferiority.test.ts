import { describe, expect, it } from 'vitest';
import { rowsFrom } from '../../../test/compare-fixture.ts';
import { scoredRun } from '../../analyses/comparison/scored-run.ts';
import { accuracy, decisionAccuracy, deferralRecall, selectiveAccuracy } from '../../metrics/catalogue.ts';
import { planNonInferiority } from './plan-non-inferiority.ts';

const metrics = [accuracy(), decisionAccuracy(), deferralRecall(), selectiveAccuracy()];
const plan = (metric: string | null, margin = 0.1, n = 60) =>
  planNonInferiority({ metric, margin }, scoredRun(rowsFrom('+o'.repeat(n / 2))), metrics);

describe('planNonInferiority', () => {
  it('counts the records that a metric rests on', () => {
    // Every other record should be deferred.
    expect(plan('deferral_recall')).toEqual({
      metric: 'deferral_recall',
      margin: 0.1,
      nRecords: 60,
      nCounted: 30,
      clusters: null,
      fewest: 35,
      likely: 79,
    });
    expect(plan('accuracy', 0.05)).toMatchObject({ nCounted: 60, fewest: 73 });
  });

  it('chooses the metric as the gate does', () => {
    expect(plan(null)!.metric).toBe('decision_accuracy');
    const unlabelled = scoredRun(rowsFrom('++', { metadata: {} }));
    expect(planNonInferiority({ metric: null, margin: 0.1 }, unlabelled, metrics)!.metric).toBe('accuracy');
    expect(() => plan('recall')).toThrow('it cannot be computed from rows');
  });

  it('counts clusters that have such a record, and needs ten at least', () => {
    const rows = rowsFrom('+o'.repeat(30)).map((row, i) => ({
      ...row,
      // Twenty patients; only the first fifteen have a record that should be deferred.
      metadata: { ...row.metadata, patient: i % 2 === 0 ? Math.floor(i / 3) : Math.floor(i / 4) },
    }));
    const reference = scoredRun(rows, { keep: ['patient'] });
    const clustered = (margin: number) =>
      planNonInferiority({ metric: 'deferral_recall', margin }, reference, metrics, { cluster: 'patient' });
    expect(clustered(0.5)).toMatchObject({ clusters: { key: 'patient', n: 15 }, fewest: 10 });
    expect(clustered(0.1)!.fewest).toBe(38);
  });

  it('says nothing of a metric that is no share over the same records', () => {
    expect(plan('selective_accuracy')).toBeNull();
  });
});
