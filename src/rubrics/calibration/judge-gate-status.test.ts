import { describe, expect, it } from 'vitest';
import { type JudgeGateInputs, judgeGateStatus, refutingMeasures } from './judge-gate-status.ts';

/** Labels that refute the judge by each measure alone are made by changing one bound. */
const GOOD: JudgeGateInputs = {
  nLabelled: 20,
  nQuestions: 10,
  randomSample: true,
  sensitivityUpper: 0.8,
  specificityUpper: 0.8,
  kappaUpper: 0.4,
  positiveShare: 0.5,
  calibrated: false,
  correctedAvailable: false,
  allowUncalibrated: false,
  score: 'raw',
};
const BAD = { ...GOOD, sensitivityUpper: 0.79 };
const status = (more: Partial<JudgeGateInputs>, from = GOOD) => judgeGateStatus({ ...from, ...more });

describe('whether labels refute a judge', () => {
  it.each([
    ['bounds at the limits', {}, []],
    ['sensitivity', { sensitivityUpper: 0.7999 }, ['sensitivity']],
    ['specificity', { specificityUpper: 0.7999 }, ['specificity']],
    ['kappa', { kappaUpper: 0.3999 }, ['kappa']],
    [
      'all three',
      { sensitivityUpper: 0, specificityUpper: 0, kappaUpper: -1 },
      ['sensitivity', 'specificity', 'kappa'],
    ],
    ['kappa where 10 % are positive', { kappaUpper: 0.3, positiveShare: 0.1 }, ['kappa']],
    ['kappa where 90 % are positive', { kappaUpper: 0.3, positiveShare: 0.9 }, ['kappa']],
    ['no kappa where fewer are positive', { kappaUpper: 0.3, positiveShare: 0.0999 }, []],
    ['no kappa where more are positive', { kappaUpper: 0.3, positiveShare: 0.9001 }, []],
    ['no kappa without a share', { kappaUpper: 0.3, positiveShare: null }, []],
    [
      'sensitivity where hardly any is positive',
      { sensitivityUpper: 0.3, positiveShare: 0.01 },
      ['sensitivity'],
    ],
    ['no bound', { sensitivityUpper: null, specificityUpper: null, kappaUpper: null }, []],
    ['19 items', { sensitivityUpper: 0.1, nLabelled: 19 }, []],
    ['9 questions', { sensitivityUpper: 0.1, nQuestions: 9 }, []],
    ['labels picked by hand', { sensitivityUpper: 0.1, specificityUpper: 0.1, randomSample: false }, []],
  ])('%s', (_, more, measures) => {
    expect(refutingMeasures({ ...GOOD, ...more })).toEqual(measures);
    expect(status(more).judge).toBe(measures.length === 0 ? 'not_calibrated' : 'refuted');
  });
});

describe('a gate on a raw score', () => {
  it('is undecided without a calibrated judge, unless the user accepts that', () => {
    expect(status({})).toEqual({
      judge: 'not_calibrated',
      gate: 'undecided',
      reason: 'judge_not_calibrated',
      headline: 'raw_first',
      flagRecorded: false,
    });
    expect(status({ calibrated: true })).toMatchObject({
      judge: 'calibrated',
      gate: 'decided',
      reason: null,
    });
    expect(status({ allowUncalibrated: true })).toMatchObject({
      judge: 'not_calibrated',
      gate: 'decided',
      reason: null,
      flagRecorded: true,
    });
    expect(status({ calibrated: true, allowUncalibrated: true }).flagRecorded).toBe(true);
  });

  it('is never decided by a refuted judge, calibrated and accepted as it may be', () => {
    for (const calibrated of [false, true])
      for (const allowUncalibrated of [false, true])
        expect(status({ calibrated, allowUncalibrated }, BAD)).toEqual({
          judge: 'refuted',
          gate: 'undecided',
          reason: 'judge_refuted',
          headline: 'no_score',
          flagRecorded: allowUncalibrated,
        });
  });

  it('is not decided by a corrected score that exists beside it', () => {
    expect(status({ correctedAvailable: true }).reason).toBe('judge_not_calibrated');
    expect(status({ correctedAvailable: true }, BAD).reason).toBe('judge_refuted');
  });
});

describe('a gate on a corrected score', () => {
  it.each([GOOD, BAD, { ...GOOD, calibrated: true }, { ...BAD, allowUncalibrated: true }])(
    'is decided wherever there is one, whatever the judge',
    (from) => {
      expect(status({ score: 'corrected', correctedAvailable: true }, from)).toMatchObject({
        gate: 'decided',
        reason: null,
      });
      expect(status({ score: 'corrected' }, from)).toMatchObject({
        gate: 'undecided',
        reason: 'no_corrected_score',
      });
    },
  );
});

it('leads with the score as judged, unless people disagreed with the judge', () => {
  expect(status({ correctedAvailable: true }).headline).toBe('raw_first');
  expect(status({ correctedAvailable: true }, BAD).headline).toBe('corrected_first');
  expect(status({ score: 'corrected' }, BAD).headline).toBe('no_score');
});
