import { describe, expect, it } from 'vitest';
import { type EvaluationResult, evaluationResult } from '../../core/evaluation-result.ts';
import { createRandom } from '../../statistics/random.ts';
import {
  adaptiveCalibrationError,
  expectedCalibrationError,
  maximumCalibrationError,
} from './binned-errors.ts';
import type { NullBand } from './null-band.ts';
import { smoothCalibrationError } from './smooth-calibration-error.ts';

/** Answers of a model that is right as often as `chance` of its confidence says. */
function answers(n: number, seed: number, chance = (confidence: number) => confidence): EvaluationResult[] {
  const random = createRandom(seed);
  return Array.from({ length: n }, (_, i) => {
    const confidence = 0.5 + random.float() / 2;
    const right = random.float() < chance(confidence);
    return evaluationResult({ id: `r${i}`, prediction: Number(right), groundTruth: 1, confidence });
  });
}
const ece = expectedCalibrationError();
const bandOf = (rows: readonly EvaluationResult[], cluster?: string): NullBand =>
  ece.compute(rows, cluster === undefined ? {} : { cluster }).details.null_band as NullBand;

describe('the noise floor of a calibration error', () => {
  it('gives a p-value of "calibrated" that is small only for a model that is not', () => {
    const p = (chance?: (c: number) => number) =>
      [1, 2, 3, 4, 5, 6].map((seed) => bandOf(answers(400, seed, chance)).p_calibrated);
    expect(Math.min(...p())).toBeGreaterThan(0.01);
    expect(Math.max(...p((c) => c - 0.2))).toBeLessThan(0.002);
  });

  it('replaces the interval of every calibration error', () => {
    const rows = answers(100, 1);
    for (const metric of [
      ece,
      adaptiveCalibrationError(),
      maximumCalibrationError(),
      smoothCalibrationError(),
    ]) {
      const { interval, intervalReason, details } = metric.compute(rows);
      expect([interval, intervalReason]).toEqual([null, 'no_valid_interval']);
      expect((details.null_band as NullBand).p_calibrated).toBeGreaterThan(0);
    }
    expect(ece.compute(rows, { nullBand: false }).details.null_band).toBeNull();
  });

  it('is not lowered by asking the same records again', () => {
    const rows = answers(200, 3);
    const alone = bandOf(rows);
    const repeated = bandOf([...rows, ...rows, ...rows, ...rows]);
    expect(repeated.null_p95 / alone.null_p95).toBeGreaterThan(0.9);
    expect(repeated.null_p95 / alone.null_p95).toBeLessThan(1.1);
    // As if they were four times as many records: half as high.
    const independent = bandOf(
      [1, 2, 3, 4].flatMap((time) => rows.map((row) => ({ ...row, id: `${row.id}-${time}` }))),
    );
    expect(independent.null_p95 / alone.null_p95).toBeLessThan(0.65);
  });

  it('draws clusters: a record of each patient alone, or all of a call together', () => {
    const rows = answers(200, 3);
    const copies = [0, 1, 2, 3].flatMap((time) =>
      rows.map((row) => ({ ...row, id: `${row.id}-${time}`, metadata: { patient: row.id } })),
    );
    const ratio = bandOf(copies, 'patient').null_p95 / bandOf(rows).null_p95;
    expect(ratio).toBeGreaterThan(0.9);
    expect(ratio).toBeLessThan(1.1);
    const called = copies.map((row) => ({ ...row, call: row.metadata.patient }));
    expect(bandOf(called).null_p95).toBeCloseTo(bandOf(copies, 'patient').null_p95, 12);
  });
});
