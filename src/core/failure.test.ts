import { describe, expect, it } from 'vitest';
import problems from './failure-problems.json' with { type: 'json' };
import { FAULTS, failureWords, isFailureProblem } from './fault.ts';

describe('what went wrong with a call', () => {
  it.each([...FAULTS, ...Object.keys(problems)].filter(isFailureProblem))(
    '%s has words of its own',
    (problem) => {
      expect(failureWords(problem).says).not.toBe(problem);
    },
  );

  it('is one of a closed list', () => {
    expect(isFailureProblem('web_page')).toBe(true);
    expect(isFailureProblem('timeout')).toBe(true);
    for (const other of ['constructor', '', null, 'Anna 1970']) expect(isFailureProblem(other)).toBe(false);
  });
});
