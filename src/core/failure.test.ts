import { describe, expect, it } from 'vitest';
import { FAILURE_PROBLEMS, failureWords, isFailureProblem } from './failure.ts';

describe('what went wrong with a call', () => {
  it.each(FAILURE_PROBLEMS)('%s has words of its own', (problem) => {
    expect(failureWords(problem).says).not.toBe(problem);
  });

  it('is one of a closed list', () => {
    expect(isFailureProblem('web_page')).toBe(true);
    expect(isFailureProblem('timeout')).toBe(true);
    for (const other of ['constructor', '', null, 'Anna 1970']) expect(isFailureProblem(other)).toBe(false);
  });
});
