import { describe, expect, it } from 'vitest';
import {
  caseKind,
  decisionClass,
  decisionFacts,
  deferAnswer,
  emergencyRule,
  isStrictlyRight,
} from './decision-class.ts';
import { type EvaluationResult, evaluationResult } from './evaluation-result.ts';

const row = (given: Partial<EvaluationResult>) => evaluationResult({ groundTruth: 'a', ...given });
const decide = (
  given: Partial<EvaluationResult>,
  rule: Parameters<typeof decisionClass>[1] = 'urgency',
  actLabels: readonly string[] = [],
) => {
  const facts = decisionFacts(row(given), actLabels);
  return [caseKind(facts), decisionClass(facts, rule)];
};

describe('acting by label', () => {
  const em = ['em'];

  it('takes the truth for what must be done and the answer for what is said', () => {
    expect(decide({ groundTruth: 'em', prediction: 'home' }, 'label', em)).toEqual([
      'must_act',
      'missed_emergency',
    ]);
    expect(decide({ groundTruth: 'em', prediction: 'EM' }, 'label', em)).toEqual([
      'must_act',
      'right_answer',
    ]);
    expect(decisionFacts(row({ groundTruth: 'home', prediction: 'em' }), em)).toMatchObject({
      mustAct: false,
      urgent: true,
    });
  });

  it('knows nothing of a case without a truth, unless a column says it', () => {
    expect(decisionFacts(row({ groundTruth: null, prediction: 'em' }), em).mustAct).toBeNull();
    const marked = row({ groundTruth: 'home', prediction: 'home', metadata: { must_act: true } });
    expect(decisionFacts(marked, em)).toMatchObject({ mustAct: true, urgent: false });
  });

  it('lets only a usable answer say that a case is urgent', () => {
    for (const state of ['abstained', 'invalid', 'refused', 'failed'] as const)
      expect(decisionFacts(row({ prediction: 'em', state }), em).urgent, state).toBe(false);
  });
});

describe('a case marked to be acted upon and to be deferred', () => {
  it('has no deferral label', () => {
    const metadata = { must_act: true, should_abstain: true };
    expect(decide({ abstained: true, urgent: true, metadata })).toEqual(['must_act', 'deferred_either']);
    expect(decide({ prediction: 'b', urgent: true, metadata })).toEqual(['must_act', 'wrong_answer']);
  });
});

describe('an answer that a threshold defers', () => {
  const facts = decisionFacts(
    row({ prediction: 'a', urgent: true, metadata: { must_act: true, should_abstain: false } }),
  );

  it('keeps its flag only where urgency was stated apart from the answer', () => {
    expect(decisionClass(deferAnswer(facts, 'urgency'), 'urgency')).toBe('deferred_without_need');
    expect(decisionClass(deferAnswer(facts, 'label'), 'label')).toBe('missed_emergency');
    expect(decisionClass(deferAnswer(facts, 'silence'), 'silence')).toBe('missed_emergency');
  });

  it('is strictly right only where an answer was called for', () => {
    expect(isStrictlyRight(facts)).toBe(true);
    expect(isStrictlyRight({ ...facts, shouldAbstain: null })).toBe(true);
    expect(isStrictlyRight({ ...facts, shouldAbstain: true })).toBe(false);
    expect(isStrictlyRight({ ...facts, right: false })).toBe(false);
  });
});

describe('the emergency rule', () => {
  it('is silence where urgency was not asked and no row states it', () => {
    expect(emergencyRule({}, false)).toBe('silence');
    expect(emergencyRule({ urgencyAsked: false }, true)).toBe('silence');
    expect(emergencyRule({ urgencyAsked: true }, false)).toBe('urgency');
  });

  it('does not let a refused or unreadable reply raise an alarm', () => {
    const metadata = { must_act: true, should_abstain: false };
    for (const state of ['invalid', 'refused'] as const)
      expect(decide({ state, urgent: true, metadata })).toEqual(['must_act', 'missed_emergency']);
  });
});
