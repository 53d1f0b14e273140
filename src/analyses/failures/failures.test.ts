import { describe, expect, it } from 'vitest';
import type { FailedCalls, StoredFailures } from '../../store/queries/stored-failures.ts';
import { summariseFailures } from './failures.ts';

const NONE: StoredFailures = { calls: [], rows: [], unusable: [] };

function calls(of: Partial<FailedCalls>): FailedCalls {
  return {
    isJudge: false,
    isRetry: false,
    fault: 'malformed',
    problem: 'web_page',
    status: 200,
    message: 'x/m: the reply could not be read (HTTP 200)',
    n: 1,
    nAbout: 1,
    ...of,
  };
}

describe('failures of a run', () => {
  it('are grouped by cause, the commonest first, with rows, calls and retries counted apart', () => {
    const stored = {
      ...NONE,
      calls: [
        calls({ fault: 'timeout', problem: 'timeout', status: null, isRetry: true, n: 9 }),
        calls({ fault: 'timeout', problem: 'timeout', status: null, n: 2 }),
        calls({ n: 16 }),
      ],
      rows: [
        { reason: 'timeout', problem: 'timeout', status: null, n: 2 },
        { reason: 'malformed', problem: 'web_page', status: 200, n: 8 },
      ],
    };
    expect(summariseFailures(stored, false).failures).toEqual([
      {
        role: 'model',
        problem: 'web_page',
        status: 200,
        says: 'a web page came back instead of JSON',
        advice: expect.stringContaining('check --base-url'),
        nRows: 8,
        nCalls: 16,
        nRetries: 0,
        example: 'x/m: the reply could not be read (HTTP 200)',
      },
      expect.objectContaining({ problem: 'timeout', nRows: 2, nCalls: 2, nRetries: 9 }),
    ]);
  });

  it('without a problem are named after the fault, and rows join the calls that explain them', () => {
    const rows = [{ reason: 'malformed', problem: null, status: null, n: 3 }];
    const unnamed = summariseFailures(
      { ...NONE, calls: [calls({ problem: null, status: null })], rows },
      false,
    );
    expect(unnamed.failures).toMatchObject([{ problem: 'malformed', nRows: 3, nCalls: 1 }]);
    const named = summariseFailures({ ...NONE, calls: [calls({ n: 2 })], rows }, false);
    expect(named.failures).toMatchObject([{ problem: 'web_page', status: 200, nRows: 3, nCalls: 2 }]);
  });

  it('keep a reason that is not on the list as it is', () => {
    const rows = [{ reason: 'lost_in_transit', problem: null, status: null, n: 1 }];
    expect(summariseFailures({ ...NONE, rows }, false).failures).toMatchObject([
      {
        problem: 'lost_in_transit',
        says: 'lost in transit',
        advice: null,
        nRows: 1,
        nCalls: 0,
        example: null,
      },
    ]);
  });

  it('of the judge come after those of the model, and count answers', () => {
    const stored = {
      ...NONE,
      calls: [
        calls({ isJudge: true, n: 1 }),
        calls({ isJudge: true, fault: 'server', problem: 'server', status: 500, n: 6, nAbout: 3 }),
        calls({}),
      ],
    };
    expect(summariseFailures(stored, false).failures).toMatchObject([
      { role: 'model', problem: 'web_page', nCalls: 1 },
      { role: 'judge', problem: 'server', status: 500, nRows: 3, nCalls: 6 },
      { role: 'judge', problem: 'web_page', advice: expect.stringContaining('check --set judgeBaseUrl=URL') },
    ]);
  });

  it('of the judge are met by settings of the judge, which gets no batches', () => {
    const stored = { ...NONE, calls: [calls({ isJudge: true, fault: 'truncated', problem: 'truncated' })] };
    expect(summariseFailures(stored, false).failures[0]!.advice).toBe(
      'raise --set judgeMaxOutputTokens=N (krisis judge: --max-output-tokens)',
    );
  });

  it('of open questions are met without smaller batches', () => {
    const stored = { ...NONE, calls: [calls({ fault: 'truncated', problem: 'truncated' })] };
    expect(summariseFailures(stored, false).failures[0]!.advice).toContain('--batch-size');
    expect(summariseFailures(stored, false, 'text').failures[0]!.advice).toBe('raise --max-output-tokens');
  });

  it('of a protected run have the cause and the status, and no text', () => {
    const unusable = [{ state: 'invalid' as const, reason: 'no_json', reply: 'Anna, 1970', n: 2 }];
    const found = summariseFailures({ ...NONE, calls: [calls({ message: 'Anna' })], unusable }, true);
    expect(found.failures).toMatchObject([{ problem: 'web_page', status: 200, example: null }]);
    expect(found.unusableReplies).toMatchObject([{ reason: 'no_json', nRows: 2, example: null }]);
    expect(JSON.stringify(found)).not.toContain('Anna');
  });
});

describe('replies that could not be used', () => {
  it('are grouped by reason with the beginning of one of them', () => {
    const unusable: StoredFailures['unusable'] = [
      { state: 'refused', reason: null, reply: null, n: 1 },
      { state: 'invalid', reason: 'no_json', reply: `I think\nit is G2. ${'x'.repeat(1000)}`, n: 7 },
      { state: 'invalid', reason: 'my own', reply: '', n: 2 },
    ];
    const { unusableReplies } = summariseFailures({ ...NONE, unusable }, false);
    expect(unusableReplies).toMatchObject([
      { reason: 'no_json', says: 'the reply had no JSON', nRows: 7 },
      { reason: 'my own', says: 'my own', nRows: 2, example: null },
      { reason: 'refused', says: 'the model refused to answer', nRows: 1, example: null },
    ]);
    expect(unusableReplies[0]!.example).toMatch(/^I think it is G2\. x+…$/);
    expect(unusableReplies[0]!.example).toHaveLength(300);
  });
});
