import { expect, it } from 'vitest';
import { Rubric } from '../../rubrics/rubric.ts';
import { bareQuestion } from './judge-answer.ts';
import { keptOutcome } from './kept-outcome.ts';

const question = bareQuestion({
  id: 'q1',
  question: 'What dose for Mrs Zimmermann?',
  rubric: Rubric.parse({ llm_traits: [{ name: 'Kind', kind: 'boolean', description: 'It is kind.' }] }),
});
const quotes = [{ text: 'Mrs Zimmermann takes 512 mg', start: 4, end: 31 }];
const outcome = {
  verdicts: [{ id: 'a', verdict: 'present' as const, quotes, reason: null, value: '512 mg' }],
  traits: [{ name: 'Kind', value: true, reason: null, explanation: 'It greets Mrs Zimmermann.', quotes }],
};

it('keeps no word of what a judge says about a trait or copies as a value, where data are protected', () => {
  const kept = keptOutcome(outcome, question, { isProtected: true, keepText: false });
  expect(kept).toEqual({
    verdicts: [{ id: 'a', verdict: 'present', quotes: [{ start: 4, end: 31 }], reason: null, value: null }],
    traits: [{ name: 'Kind', value: true, reason: null, explanation: null, quotes: [{ start: 4, end: 31 }] }],
  });
});

it('blocks out the words of the question where texts are kept on purpose', () => {
  const kept = keptOutcome(outcome, question, { isProtected: true, keepText: true });
  expect(JSON.stringify(kept)).not.toContain('Zimmermann');
});

it('keeps everything where nothing is protected', () => {
  expect(keptOutcome(outcome, question, { isProtected: false, keepText: false })).toBe(outcome);
});
