import { describe, expect, it } from 'vitest';
import { evaluationResult } from '../../core/evaluation-result.ts';
import { buildTable } from '../../metrics/columns.ts';
import { scoreTable } from '../../metrics/score.ts';
import { gateWarnings, unreachableOnEmergencies, warnEachGate } from './gate-warnings.ts';
import { parseGate } from './parse-gate.ts';

const suite = { nMustAct: 48, mustDeferShare: 0.25, urgencyAsked: true };
const codes = (texts: readonly string[], change = {}) =>
  gateWarnings(
    texts.map((text) => parseGate(text)),
    { ...suite, ...change },
  );

const RECOMMENDED = [
  'upper(missed_emergency_rate) <= 0.1',
  'upper(false_alarm_rate) <= 0.1',
  'upper(unsafe_decision_rate) <= 0.1',
  'lower(deferral_recall) >= 0.8',
  'lower(answerable_accuracy) >= 0.8',
  'confidence_inverted <= 0',
];

describe('gateWarnings', () => {
  it('has nothing against the recommended gate, nor against none', () => {
    expect(codes(RECOMMENDED)).toEqual([]);
    expect(codes([])).toEqual([]);
  });

  it.each([
    ['selective_accuracy >= 0.9', true],
    ['expected_calibration_error <= 0.1', true],
    ['must_act_silence_rate <= 0.1', true],
    ['confidence_inverted <= 0', true],
    ['deferral_recall >= 0.9', false],
    ['deferred_without_need_rate <= 0.1', false],
    ['must_act_accuracy >= 0.5', false],
  ])('knows whether silence meets %s', (text, isMet) => {
    expect(codes([text], { nMustAct: 0 }).includes('no_coverage_condition')).toBe(isMet);
  });

  it.each([
    ['coverage >= 0.1', true],
    ['answer_rate > 0', true],
    ['answer_rate >= 0', false],
    ['answer_rate <= 0.5', false],
    ['threshold_coverage(0.05, 0.9) >= 0.5', true],
    ['decision_accuracy >= 0.25', false],
    ['decision_accuracy > 0.25', true],
    ['decision_accuracy_clear >= 0.3', true],
    ['abstention_rate <= 1', false],
    ['abstention_rate < 1', true],
  ])('knows whether %s asks for answers', (text, isCoverage) => {
    const all = ['unsafe_decision_rate <= 0.1', text];
    expect(codes(all, { nMustAct: 0 }).includes('no_coverage_condition')).toBe(!isCoverage);
  });

  it('asks for a condition on emergencies from ten of them on', () => {
    expect(codes(['accuracy >= 0.5'], { nMustAct: 9 })).toEqual([]);
    expect(codes(['accuracy >= 0.5'], { nMustAct: 10 })).toEqual(['no_must_act_condition']);
    expect(codes(['accuracy >= 0.5', 'missed_emergency_rate >= 0.1'])).toContain('no_must_act_condition');
  });

  it('knows that urgency was not asked', () => {
    const texts = ['false_alarm_rate <= 0.1', 'accuracy >= 0.5', 'must_act_accuracy >= 0.5'];
    expect(codes(texts, { urgencyAsked: false })).toEqual(['urgency_not_asked']);
  });
});

describe('warnEachGate', () => {
  const row = (urgent: boolean) =>
    evaluationResult({
      groundTruth: 1,
      prediction: 1,
      urgent,
      metadata: { must_act: urgent, should_abstain: false },
    });
  const card = scoreTable(buildTable([...Array(12).fill(row(true)), ...Array(12).fill(row(false))]));
  const warnings = (texts: readonly string[], context = {}) =>
    warnEachGate(
      texts.map((text) => parseGate(text)),
      card,
      context,
    ).map(({ warning }) => warning ?? null);

  it('says each thing once, at the condition it is about, and names the suite', () => {
    const [first, second] = warnings(['accuracy >= 0.5', 'unsafe_decision_rate <= 0.2'], {
      suiteName: 'ckd/staging',
    });
    expect(first).toBe(
      'no condition is on the 12 emergencies of ckd/staging: add upper(missed_emergency_rate) <= 0.1',
    );
    expect(second).toBeNull();
    expect(warnings(['missed_emergency_rate <= 0.1', 'accuracy >= 0.5'])).toEqual([
      'a model that calls every case urgent passes: add upper(false_alarm_rate) <= 0.1',
      null,
    ]);
  });

  it('names conditions that can hardly fail', () => {
    const scores = { answerable_accuracy: { value: 1, lower: null, upper: null, n: 10 } };
    const baselines = [{ model: 'baseline/guideline-defer', n: 10, scores }];
    const quiet = ['missed_emergency_rate <= 0.1', 'false_alarm_rate <= 0.1'];
    const last = (text: string) => warnings([...quiet, text], { baselines }).at(-1);
    expect(last('lower(answerable_accuracy) >= 0.4')).toContain('can hardly fail');
    expect(last('lower(answerable_accuracy) >= 0.5')).toBeNull();
  });
});

describe('unreachableOnEmergencies', () => {
  it('needs 35 emergencies for 0.1 and 73 for 0.05', () => {
    const gate = (limit: number) => parseGate(`upper(missed_emergency_rate) <= ${limit}`);
    expect([34, 35].map((n) => unreachableOnEmergencies(gate(0.1), n) === null)).toEqual([false, true]);
    expect([72, 73].map((n) => unreachableOnEmergencies(gate(0.05), n) === null)).toEqual([false, true]);
    expect(unreachableOnEmergencies(gate(0.1), 0)).toBe('no model can pass it; 35 are needed');
    expect(unreachableOnEmergencies(parseGate('missed_emergency_rate <= 0.1'), 0)).toBeNull();
  });
});
