import { describe, expect, it } from 'vitest';
import { evaluationResult } from '../../core/evaluation-result.ts';
import { expectedCalibrationError } from '../calibration/binned-errors.ts';
import { answerableAccuracy } from './answerable-metrics.ts';
import { deferralPrecision, deferralRecall } from './deferral-metrics.ts';

const answered = evaluationResult({ groundTruth: 1, prediction: 1, confidence: 0.9 });
const deferred = evaluationResult({ groundTruth: 1, abstained: true });
const labelled = evaluationResult({ groundTruth: 1, prediction: 1, metadata: { should_abstain: false } });

describe('reasons of metrics on deferral', () => {
  it('say that there are no deferral labels, not that the model never deferred', () => {
    const rows = [answered, deferred];
    expect(deferralPrecision().compute(rows).reason).toBe('no_deferral_labels');
    expect(deferralRecall().compute(rows).reason).toBe('no_deferral_labels');
    expect(answerableAccuracy().compute(rows).reason).toBe('no_deferral_labels');
    const ece = expectedCalibrationError({ unanswerable: 'excluded' }).compute(rows);
    expect([ece.value, ece.reason, ece.nEvaluated]).toEqual([null, 'no_deferral_labels', 0]);
    expect(expectedCalibrationError().compute(rows).value).toBeCloseTo(0.1, 12);
  });

  it('tell a model that never deferred from one that deferred where nothing is labelled', () => {
    expect(deferralPrecision().compute([answered, labelled]).reason).toBe('never_deferred');
    expect(deferralPrecision().compute([deferred, labelled]).reason).toBe('never_deferred_where_labelled');
    expect(deferralRecall().compute([labelled]).reason).toBe('no_must_defer_rows');
  });
});
