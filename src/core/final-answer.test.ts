import { describe, expect, it } from 'vitest';
import { finalAnswer, finalPhrase } from './final-answer.ts';

describe('finalPhrase', () => {
  it.each([
    ['Final answer: ', 'final'],
    ['I take that back.\n\n**Final Answer**\n```json\n', 'final'],
    ['So my final answer, in the form asked for: ', 'final'],
    ['FINAL:\n', 'final'],
    ['The final verdicts are ', 'final'],
    ['Answer: ', 'answer'],
    ['My answer is ', 'answer'],
    ['**Answer:** ```json\n', 'answer'],
    ['', 'none'],
    ['My first draft: ', 'none'],
    ['A draft answer: ', 'none'],
    ['This is not my final answer: ', 'none'],
    ['The final answer follows below. First the note: ', 'none'],
    ['The answer depends on the albumin: ', 'none'],
    ['An unanswered: ', 'none'],
  ] as const)('%j: %s', (before, phrase) => {
    expect(finalPhrase(before)).toBe(phrase);
  });
});

describe('finalAnswer', () => {
  const answer = (label: string, phrase: 'final' | 'answer' | 'none' = 'none') => ({ label, phrase });
  const of = (...answers: ReturnType<typeof answer>[]) =>
    finalAnswer(answers, (one, other) => one.label === other.label);

  it('is the last where all agree', () => {
    const last = answer('a');
    expect(of(answer('a', 'final'), last)).toBe(last);
  });

  it('is the one that is called final, or else the one that is called the answer', () => {
    expect(of(answer('a', 'final'), answer('b'))?.label).toBe('a');
    expect(of(answer('a', 'answer'), answer('b'))?.label).toBe('a');
    expect(of(answer('a', 'answer'), answer('b', 'final'), answer('c'))?.label).toBe('b');
  });

  it('is none where they differ and no single one is meant', () => {
    expect(of(answer('a'), answer('b'))).toBeNull();
    expect(of(answer('a', 'answer'), answer('b', 'answer'))).toBeNull();
    expect(of(answer('a', 'final'), answer('b', 'final'))).toBeNull();
    expect(of()).toBeNull();
  });
});
