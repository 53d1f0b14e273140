import { expect, it } from 'vitest';
import { juryOutcome } from './jury-outcome.ts';

it('keeps the explanation of graders, which give no quotes and are not asked whether an answer abstains', () => {
  const grader = (verdict: 'present' | 'absent', explanation: string) => [
    {
      verdicts: [{ id: 'a', verdict, quotes: [], reason: null, explanation }],
      abstained: null,
      abstainedReason: 'not_asked',
    },
  ];
  const outcome = juryOutcome(['x', 'y', 'z'], {
    x: grader('absent', 'It does not.'),
    y: grader('present', 'It does.'),
    z: grader('present', 'So it does.'),
  });
  expect(outcome.verdicts).toEqual([
    { id: 'a', verdict: 'present', quotes: [], reason: null, explanation: 'It does.' },
  ]);
  expect([outcome.abstained, outcome.abstainedReason]).toEqual([null, 'not_asked']);
});
