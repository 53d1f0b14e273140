import { describe, expect, it } from 'vitest';
import { evaluationResult } from '../../core/evaluation-result.ts';
import { buildTable, compareReason } from '../columns.ts';
import { scoreTable } from '../score.ts';
import { groundedDeferralRate } from './answerable-metrics.ts';

const row = (deferralReason: string | null, reasons: unknown = ['missing_creatinine'], more: object = {}) =>
  evaluationResult({
    groundTruth: null,
    abstained: true,
    deferralReason,
    metadata: { should_abstain: true, should_abstain_reasons: reasons },
    ...more,
  });
const rate = (...rows: ReturnType<typeof row>[]) => groundedDeferralRate().compute(rows);

describe('groundingOf', () => {
  const own = { hemolysed: { general: 'data_conflict', equivalent: ['old_sample'] } } as const;

  it.each([
    ['the reason itself', row('missing_creatinine'), 2],
    ['the general reason', row('data_missing'), 2],
    ['another reason', row('uncertain'), 1],
    ['no reason', row(null), 0],
    ['one of several reasons', row('outside_scope', ['missing_age', 'pregnancy']), 2],
    ['an equivalent reason', row('follow_up_under_a_year', ['too_few_visits']), 2],
    ['a general reason that the case names itself', row('other', ['other']), 2],
    ['one reason as a text', row('data_missing', 'missing_sex'), 2],
    ['an unknown reason, given to the letter', row('its own', ['its own']), 2],
    ['an unknown reason', row('data_missing', ['its own']), -1],
    ['no reasons of the row', row('data_missing', []), -1],
    ['a case to answer', row('data_missing', [], { metadata: { should_abstain: false } }), -1],
    ['an answer', row(null, undefined, { abstained: false, prediction: 1 }), -1],
  ])('%s', (_, given, grounding) => {
    expect(compareReason(given)).toBe(grounding);
  });

  it("goes by the task's own reasons where they are given", () => {
    expect(compareReason(row('data_conflict', ['hemolysed']), own)).toBe(2);
    expect(compareReason(row('old_sample', ['hemolysed']), own)).toBe(2);
    expect(compareReason(row('data_conflict', ['hemolysed']))).toBe(-1);
  });
});

describe('grounded_deferral_rate', () => {
  it('is the share of needed deferrals with a right reason', () => {
    const needless = row('data_missing', [], { groundTruth: 1, metadata: { should_abstain: false } });
    const score = rate(row('data_missing'), row('uncertain'), row(null), row('missing_creatinine'), needless);
    expect(score).toMatchObject({ value: 0.5, nEvaluated: 4, nAbstained: 4 });
    expect(score.details).toEqual({ n_grounded: 2, n_other_reason: 1, n_without_reason: 1 });
    expect(score.interval).not.toBeNull();
  });

  it('is null where no row states a reason: the run may not have asked for one', () => {
    expect(rate(row(null), row(null))).toMatchObject({
      value: null,
      reason: 'no_reasons_stated',
      nEvaluated: 0,
    });
    expect(rate()).toMatchObject({ value: null });
  });

  it('is in the extended bundle, with the reasons of the task', () => {
    const deferralReasons = { hemolysed: { general: 'data_conflict' } } as const;
    const table = buildTable([row('data_conflict', ['hemolysed'])], { deferralReasons });
    const { scores } = scoreTable(table, { bundle: 'extended' });
    expect(scores.find(({ name }) => name === 'grounded_deferral_rate')?.value).toBe(1);
  });
});

describe('the confidence of an abstention', () => {
  it('enters no metric', () => {
    const answers = [0.6, 0.7, 0.9].map((confidence, i) =>
      evaluationResult({ id: `a${i}`, prediction: i % 2, groundTruth: 1, confidence }),
    );
    const deferred = (confidence: number | null) =>
      [1, 0].map((groundTruth, i) =>
        evaluationResult({ id: `d${i}`, groundTruth, abstained: true, confidence }),
      );
    const scored = (confidence: number | null) =>
      scoreTable(buildTable([...answers, ...deferred(confidence)]), { bundle: 'extended', resamples: 50 });
    expect(scored(0.99)).toEqual(scored(null));
  });
});
