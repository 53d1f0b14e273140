import { describe, expect, it } from 'vitest';
import { askingAgainText, failedRowsText } from './run-outcome.ts';

const again = (more: Partial<Parameters<typeof askingAgainText>[0]>) =>
  askingAgainText({ nRows: 0, problems: {}, maxCostUsd: null, nJudgements: 0, left: {}, ...more });

describe('askingAgainText', () => {
  it('says how many rows are asked, and the most it can cost, rounded up', () => {
    expect(again({ nRows: 12, maxCostUsd: 0.3012 })).toBe(
      'asking 12 failed cases again (at most $0.31); --keep-failed leaves them\n',
    );
    expect(again({ nRows: 1, maxCostUsd: 0.00123 })).toContain('1 failed case again (at most $0.0013)');
    expect(again({ nRows: 1 })).toBe('asking 1 failed case again; --keep-failed leaves them\n');
  });

  it('says how many judgements are asked for again', () => {
    expect(again({ nJudgements: 9 })).toBe(
      'asking for 9 failed judgements again; --keep-failed leaves them\n',
    );
    expect(again({ nJudgements: 1 })).toContain('1 failed judgement again');
  });

  it('says how many rows are left, why, and what would have them asked', () => {
    expect(again({ left: { truncated: 3, refused: 1 } })).toBe(
      'not asking 3 failed cases again: the reply was cut off; a larger --max-output-tokens would ask again\nnot asking 1 failed case again: the provider refused the question\n',
    );
  });
});

describe('failedRowsText', () => {
  const failure = (problem: string, nRows: number, role: 'model' | 'judge' = 'model') => ({
    ...{ role, problem, nRows, status: null, says: '', advice: null, nCalls: 1, nRetries: 0, example: null },
  });

  it('counts the rows that the same command asks again', () => {
    const failures = [failure('timeout', 5), failure('truncated', 3), failure('server', 2, 'judge')];
    expect(failedRowsText([{ failures }, { failures: [failure('web_page', 7)] }])).toBe(
      'krisis: run the same command to ask the 12 failed cases again\n',
    );
    expect(failedRowsText([{ failures: [failure('not_recorded', 3)] }])).toBe('');
  });
});
