import { describe, expect, it } from 'vitest';
import { evaluationResult } from '../../core/evaluation-result.ts';
import { tableOf } from '../../metrics/columns.ts';
import { createRandom } from '../../statistics/random.ts';
import { runThreshold } from './run-threshold.ts';
import { thresholdOf } from './threshold-of.ts';

/** Sure answers are right in 99 of 100, doubtful ones in 70 of 100. */
function rows(n: number, more: (i: number) => object = () => ({})) {
  const random = createRandom(3);
  return Array.from({ length: n }, (_, i) => {
    const isSure = random.float() < 0.6;
    const right = random.float() < (isSure ? 0.99 : 0.7);
    return evaluationResult({
      id: `r${i}`,
      groundTruth: 'yes',
      prediction: right ? 'yes' : 'no',
      confidence: isSure ? 0.95 : 0.6,
      ...more(i),
    });
  });
}

describe('runThreshold', () => {
  it('chooses on one part and reports on the other', () => {
    const found = runThreshold(tableOf(rows(1000)))!;
    expect(found).toMatchObject({
      threshold: 0.95,
      risk: 0.05,
      confidence: 0.9,
      seed: 1,
      unit: 'id',
      needed: null,
    });
    expect([found.calibration.nUnits, found.evaluation.nUnits, found.evaluation.n]).toEqual([500, 500, 500]);
    expect(found.evaluation.coverage).toBeCloseTo(0.6, 1);
    expect(found.evaluation.riskUpper).toBeLessThan(0.05);
    expect(found.answerEverything.coverage).toBe(1);
    expect(found.answerEverything.risk).toBeGreaterThan(0.05);
  });

  it('depends on the seed and the ids, not on the order of rows', () => {
    const given = rows(600);
    const found = runThreshold(tableOf(given));
    expect(runThreshold(tableOf([...given].reverse()))).toEqual(found);
    expect(runThreshold(tableOf(given), { seed: 2 })!.evaluation).not.toEqual(found!.evaluation);
  });

  it('keeps the rows of a patient in one part, and draws one of each for the exact test', () => {
    const given = rows(900, (i) => ({ metadata: { patient: `p${i % 300}` } }));
    const found = runThreshold(tableOf(given, { keep: ['patient'] }), { cluster: 'patient' })!;
    expect(found.unit).toBe('patient');
    expect(found.calibration).toEqual({ nUnits: 150, nRows: 450, nDrawn: 150, nUsable: 150 });
    expect([found.evaluation.nUnits, found.evaluation.n]).toEqual([150, 450]);
    expect(found.evaluation.nBound).toBeLessThanOrEqual(150);
    const turned = tableOf(given.toReversed(), { keep: ['patient'] });
    expect(runThreshold(turned, { cluster: 'patient' })).toEqual(found);
  });

  it('counts an answer without a derivable truth as an error, and judges one with a label by it', () => {
    const given = rows(400, (i) =>
      i % 4 === 0
        ? { groundTruth: null, metadata: { should_abstain: true } }
        : i % 4 === 1
          ? { metadata: { should_abstain: true } }
          : {},
    );
    const { answerEverything } = runThreshold(tableOf(given))!;
    expect(answerEverything.nWithoutTruth + answerEverything.nOnMustDefer).toBeGreaterThan(70);
    expect(answerEverything.errors).toBeGreaterThanOrEqual(answerEverything.nWithoutTruth);
  });

  it('shows rows on which deferring is unsafe, and why rows were deferred', () => {
    const given = rows(1000, (i) => {
      if (i % 10 === 0) return { metadata: { must_act: true } };
      if (i % 10 === 1) return { state: 'abstained', prediction: null };
      if (i % 10 === 2) return { state: 'invalid', prediction: null };
      if (i % 10 === 3) return { state: 'failed', prediction: null };
      return i % 10 === 4 ? { confidence: null } : {};
    });
    const { evaluation, answerEverything } = runThreshold(tableOf(given))!;
    const { deferred } = evaluation;
    expect(Object.values(deferred).every((n) => n > 20)).toBe(true);
    expect(Object.values(deferred).reduce((sum, n) => sum + n, evaluation.answered)).toBe(500);
    expect(evaluation.mustAct.n).toBeGreaterThan(30);
    expect(evaluation.mustAct.deferred).toBeGreaterThan(0);
    expect(answerEverything.mustAct.deferred).toBe(0);
    expect(answerEverything.deferred.noConfidence).toBe(0);
  });

  it('says how much data a promise would need', () => {
    expect(runThreshold(tableOf(rows(60)))).toMatchObject({
      threshold: null,
      reason: 'too_few_rows',
      needed: { accepted: 45, records: 90, acceptedForPower: 330, recordsForPower: 660 },
      evaluation: { coverage: 0, risk: null, riskUpper: null },
    });
  });

  it('leaves out answers without a label', () => {
    const given = rows(100, (i) => (i < 10 ? { groundTruth: null } : {}));
    expect(runThreshold(tableOf(given))).toMatchObject({ nUnlabelled: 10 });
  });

  it('fits recalibration on one part and shows it on the other', () => {
    const [before, isotonic, platt] = runThreshold(tableOf(rows(1000)), { recalibrate: true })!.recalibration;
    expect(before).toMatchObject({ method: 'none', reason: null });
    expect(isotonic!.brier).toBeLessThan(before!.brier!);
    expect(platt).toMatchObject({ method: 'platt', isTurnedRound: false });
    const few = runThreshold(tableOf(rows(40)), { recalibrate: true })!.recalibration;
    expect(few.slice(1).map(({ reason, brier }) => [reason, brier])).toEqual([
      ['too_few_rows', null],
      ['too_few_rows', null],
    ]);
  });

  it('has nothing to say without rows, and refuses what is not a share', () => {
    expect(runThreshold(tableOf([]))).toBeNull();
    expect(() =>
      thresholdOf(
        {
          threshold: () => null,
          status: 'complete',
          backendName: 'm',
          judging: null,
          path: null,
          shard: null,
        },
        {},
      ),
    ).toThrow(expect.objectContaining({ code: 'ERR_NO_THRESHOLD' }));
    for (const choice of [{ risk: 0 }, { confidence: 1 }, { calibrationShare: 0 }])
      expect(() => runThreshold(tableOf(rows(10)), choice)).toThrow(
        expect.objectContaining({ code: 'ERR_ARGUMENT' }),
      );
  });
});
