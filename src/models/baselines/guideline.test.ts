import { describe, expect, it } from 'vitest';
import type { Features, Guideline } from '../../suites/task.ts';
import { guidelineRule, guidelineWithDeferral } from './rules.ts';

/** Fever from a temperature; unsure between 37.8 and 38.2. */
const guideline: Guideline = {
  answer: ({ temperature: t }) => (typeof t !== 'number' ? null : t >= 38 ? 'fever' : 'none'),
  shouldDefer: ({ temperature: t }) => typeof t === 'number' && t > 37.8 && t < 38.2,
};
const task = { id: 'demo/fever', guideline };
const at = (temperature: number | null): { id: string; features: Features } => ({
  id: 'a',
  features: { temperature },
});

describe('guidelineRule', () => {
  const rule = guidelineRule(task);

  it('answers also where the features call for deferring, without a confidence', () => {
    expect([37, 37.9, 39].map((t) => rule(at(t)).prediction)).toEqual(['none', 'none', 'fever']);
    expect(rule(at(39))).not.toHaveProperty('confidence');
  });

  it('abstains where it has nothing to go on', () => {
    expect(rule(at(null))).toMatchObject({ prediction: null, abstained: true });
  });
});

describe('guidelineWithDeferral', () => {
  const rule = guidelineWithDeferral(task);

  it('defers where the features call for it and answers elsewhere', () => {
    expect(rule(at(37.9))).toMatchObject({ prediction: null, abstained: true });
    expect(rule(at(39))).toEqual({ prediction: 'fever', abstained: false, rawResponse: 'guideline: fever' });
  });

  it('defers where it has nothing to go on', () => {
    expect(rule(at(null))).toMatchObject({ prediction: null, abstained: true });
  });
});

it.each([guidelineRule, guidelineWithDeferral])('%o says so when the task has no guideline', (make) => {
  expect(() => make({ id: 'demo/none' })).toThrow('task demo/none has no guideline');
});

it('takes 0 and false as answers', () => {
  const zero = { id: 'demo/zero', guideline: { answer: () => 0, shouldDefer: () => false } };
  expect(guidelineRule(zero)(at(37)).prediction).toBe(0);
  expect(guidelineWithDeferral(zero)(at(37)).prediction).toBe(0);
});
