import { describe, expect, it } from 'vitest';
import type { ActOptions } from '../../core/decision-class.ts';
import { evaluationResult } from '../../core/evaluation-result.ts';
import { buildTable } from '../../metrics/columns.ts';
import { scoreTable } from '../../metrics/score.ts';
import { createRandom } from '../../statistics/random.ts';
import { command } from './command.ts';
import { type RunThreshold, runThreshold } from './run-threshold.ts';

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

/** A bootstrap draws rows by their place, so the ends of the AUROC's interval move a little with the order of rows. */
function withoutEnds({ confidenceStatus: { lower, upper, ...status }, ...found }: RunThreshold) {
  expect(lower).toBeLessThan(upper!);
  return { ...found, status };
}

describe('runThreshold', () => {
  it('chooses on one part and reports on the other', () => {
    const found = runThreshold(buildTable(rows(1000)))!;
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
    expect(found.acceptEveryAnswer.coverage).toBe(1);
    expect(found.acceptEveryAnswer.risk).toBeGreaterThan(0.05);
  });

  it('depends on the seed and the ids, not on the order of rows', () => {
    const given = rows(600);
    const found = runThreshold(buildTable(given));
    expect(withoutEnds(runThreshold(buildTable([...given].reverse()))!)).toEqual(withoutEnds(found!));
    expect(runThreshold(buildTable(given), { seed: 2 })!.evaluation).not.toEqual(found!.evaluation);
  });

  it('keeps the rows of a patient in one part, and draws one of each for the exact test', () => {
    const given = rows(900, (i) => ({ metadata: { patient: `p${i % 300}` } }));
    const found = runThreshold(buildTable(given, { keep: ['patient'] }), { cluster: 'patient' })!;
    expect(found.unit).toBe('patient');
    expect(found.calibration).toEqual({ nUnits: 150, nRows: 450, nDrawn: 150, nUsable: 150 });
    expect([found.evaluation.nUnits, found.evaluation.n]).toEqual([150, 450]);
    expect(found.evaluation.nBound).toBeLessThanOrEqual(150);
    const turned = buildTable(given.toReversed(), { keep: ['patient'] });
    expect(withoutEnds(runThreshold(turned, { cluster: 'patient' })!)).toEqual(withoutEnds(found));
  });

  it('counts any answer on a case that should be deferred as a failure, right or wrong', () => {
    const given = rows(400, (i) =>
      i % 4 === 0
        ? { groundTruth: null, metadata: { should_abstain: true } }
        : i % 4 === 1
          ? { prediction: 'yes', metadata: { should_abstain: true } }
          : { prediction: 'yes', metadata: { should_abstain: false } },
    );
    const found = runThreshold(buildTable(given))!;
    const { errors, answeredShouldDefer, wrongAnswers } = found.acceptEveryAnswer;
    expect(found.hasDeferralLabels).toBe(true);
    expect(answeredShouldDefer.n).toBeGreaterThan(70);
    expect(answeredShouldDefer.count).toBe(answeredShouldDefer.n);
    expect(wrongAnswers.count).toBe(0);
    expect(errors).toBe(answeredShouldDefer.count);
    // By labels alone a quarter fails; half does.
    expect(found.acceptEveryAnswer.risk).toBeCloseTo(0.5, 1);
  });

  it('shows missed emergencies, and why rows have no accepted answer', () => {
    const given = rows(1000, (i) => {
      if (i % 10 === 0) return { metadata: { must_act: true } };
      if (i % 10 === 1) return { state: 'abstained', prediction: null };
      if (i % 10 === 2) return { state: 'invalid', prediction: null };
      if (i % 10 === 3) return { state: 'failed', prediction: null, metadata: { must_act: i % 20 === 3 } };
      return i % 10 === 4 ? { confidence: null } : {};
    });
    const found = runThreshold(buildTable(given))!;
    const { evaluation, acceptEveryAnswer } = found;
    const { deferred } = evaluation;
    expect(Object.values(deferred).every((n) => n > 20)).toBe(true);
    expect(Object.values(deferred).reduce((sum, n) => sum + n, evaluation.answered)).toBe(500);
    expect(found.emergencyRule).toBe('silence');
    expect(evaluation.emergencies.n).toBeGreaterThan(30);
    expect(evaluation.emergencies.missed).toBeGreaterThan(0);
    expect(evaluation.emergencies.failed).toBeGreaterThan(10);
    expect(acceptEveryAnswer.emergencies).toEqual({ ...evaluation.emergencies, missed: 0 });
    expect(acceptEveryAnswer.falseAlarms).toBeNull();
    expect(acceptEveryAnswer.deferred.noConfidence).toBe(0);
  });

  describe('an emergency that the threshold defers', () => {
    /** Doubtful answers in every emergency, which the threshold defers; all are called urgent, and the label says so too. */
    const emergencies = rows(1000, (i) =>
      i % 10 === 0
        ? { groundTruth: 'em', prediction: 'em', confidence: 0.6, urgent: true, metadata: { must_act: true } }
        : { urgent: false, metadata: { must_act: false } },
    );
    const missed = (options: ActOptions) => {
      const found = runThreshold(buildTable(emergencies, options))!;
      expect(found.threshold).toBe(0.95);
      return [found.acceptEveryAnswer, found.evaluation].map(
        ({ emergencies: { n, missed: count } }) => count / n,
      );
    };

    it('keeps its flag where urgency is stated apart from the answer', () => {
      expect(missed({})).toEqual([0, 0]);
    });

    it('is missed where only the label says so, or where urgency was not asked', () => {
      expect(missed({ actLabels: ['em'] })).toEqual([0, 1]);
      expect(missed({ urgencyAsked: false })).toEqual([0, 1]);
    });

    it('counts also without a label, unless silence alone would be the miss', () => {
      const unlabelled = emergencies.map((row) =>
        row.metadata.must_act === true ? { ...row, groundTruth: null, urgent: false } : row,
      );
      const { evaluation } = runThreshold(buildTable(unlabelled))!;
      expect(evaluation.emergencies.n).toBeGreaterThan(30);
      expect(evaluation.emergencies.missed).toBe(evaluation.emergencies.n);
      const silent = runThreshold(buildTable(unlabelled, { urgencyAsked: false }))!;
      expect(silent.evaluation.emergencies).toEqual({ n: 0, missed: 0, failed: 0 });
    });
  });

  it('names no threshold where confidence is inverted, however few answers are wrong', () => {
    const inverted = rows(2000, (i) =>
      i % 50 === 0
        ? { prediction: 'no', confidence: 0.99 }
        : { prediction: 'yes', confidence: 0.6 + (i % 30) / 100 },
    );
    const table = buildTable(inverted);
    const found = runThreshold(table)!;
    expect(found).toMatchObject({
      threshold: null,
      reason: 'confidence_inverted',
      needed: null,
      tested: 0,
      confidenceStatus: { status: 'inverted', auroc: 0 },
      evaluation: { answered: 0 },
    });
    // The same answers in the other order of confidence have a threshold.
    const turned = inverted.map((row) => ({ ...row, confidence: 1 - row.confidence! }));
    expect(runThreshold(buildTable(turned))!.threshold).not.toBeNull();
  });

  it('says whether confidence is informative as the warnings of the run do', () => {
    const table = buildTable(rows(600));
    const card = scoreTable(table);
    const own = card.scores.find(({ name }) => name === 'auroc_confidence_strict')!;
    const { confidenceStatus } = runThreshold(table, {}, card)!;
    expect(confidenceStatus).toEqual({
      status: 'informative',
      reason: null,
      auroc: own.value,
      lower: own.interval!.lower,
      upper: own.interval!.upper,
    });
    // Scored without intervals, the status is computed from the rows.
    expect(runThreshold(table, {}, scoreTable(table, { resamples: 0 }))!.confidenceStatus).toEqual(
      confidenceStatus,
    );
    const even = rows(600, (i) => ({ confidence: i % 2 === 0 ? 0.9 : 0.8 }));
    expect(runThreshold(buildTable(even))!.confidenceStatus.status).toBe('uninformative');
  });

  it('says how much data a promise would need', () => {
    expect(runThreshold(buildTable(rows(60)))).toMatchObject({
      threshold: null,
      reason: 'too_few_rows',
      needed: { accepted: 45, records: 90, acceptedForPower: 330, recordsForPower: 660 },
      evaluation: { coverage: 0, risk: null, riskUpper: null },
    });
  });

  it('leaves out answers without a label', () => {
    const given = rows(100, (i) => (i < 10 ? { groundTruth: null } : {}));
    const found = runThreshold(buildTable(given))!;
    expect(found.nUnlabelled).toBe(10);
    expect(found.calibration.nRows + found.evaluation.n).toBe(90);
  });

  it('fits recalibration on one part and shows it on the other', () => {
    const [before, isotonic, platt] = runThreshold(buildTable(rows(1000)), {
      recalibrate: true,
    })!.recalibration;
    expect(before).toMatchObject({ method: 'none', reason: null });
    expect(isotonic!.brier).toBeLessThan(before!.brier!);
    expect(platt).toMatchObject({ method: 'platt', isTurnedRound: false });
    const few = runThreshold(buildTable(rows(40)), { recalibrate: true })!.recalibration;
    expect(few.slice(1).map(({ reason, brier }) => [reason, brier])).toEqual([
      ['too_few_rows', null],
      ['too_few_rows', null],
    ]);
  });

  it('has nothing to say without rows, and refuses what is not a share', () => {
    expect(runThreshold(buildTable([]))).toBeNull();
    expect(runThreshold(buildTable(rows(20, () => ({ groundTruth: null }))))).toBeNull();
    expect(command.refuse({ status: 'complete', backendName: 'm', judging: null })).toMatchObject({
      code: 'ERR_NO_THRESHOLD',
    });
    for (const choice of [{ risk: 0 }, { confidence: 1 }, { calibrationShare: 0 }])
      expect(() => runThreshold(buildTable(rows(10)), choice)).toThrow(
        expect.objectContaining({ code: 'ERR_ARGUMENT' }),
      );
  });
});
