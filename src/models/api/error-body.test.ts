import { describe, expect, it } from 'vitest';
import { readErrorBody } from './faults.ts';

describe('readErrorBody', () => {
  it.each<[string, unknown, string, string]>([
    [
      'OpenAI',
      {
        error: {
          message: 'You exceeded it',
          type: 'insufficient_quota',
          param: null,
          code: 'insufficient_quota',
        },
      },
      'You exceeded it',
      'insufficient_quota insufficient_quota',
    ],
    [
      'Azure',
      {
        error: {
          code: 'content_filter',
          message: 'filtered',
          innererror: { code: 'ResponsibleAIPolicyViolation' },
        },
      },
      'filtered',
      'content_filter ResponsibleAIPolicyViolation',
    ],
    [
      'Anthropic',
      { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
      'Overloaded',
      'overloaded_error error',
    ],
    ['xAI', { code: 'invalid-argument', error: 'Incorrect key' }, 'Incorrect key', 'invalid-argument'],
    ['Bedrock', { message: 'Too many requests' }, 'Too many requests', ''],
    ['FastAPI', { detail: 'Not Found' }, 'Not Found', ''],
    ['FastAPI', { detail: [{ msg: 'field required', input: 'canary' }] }, 'field required', ''],
    [
      'OpenRouter',
      { error: { code: 403, message: 'flagged', metadata: { reasons: ['x'], flagged_input: 'canary' } } },
      'flagged',
      '403 flagged_input',
    ],
    ['a list', [{ error: { message: 'in a list', code: 429, status: 'X' } }], 'in a list', '429 X'],
    ['nothing known', { a: { b: 'canary' } }, '', ''],
    ['null', null, '', ''],
  ])('reads %s', (_, body, message, codes) => {
    const read = readErrorBody(JSON.stringify(body));
    expect([read.message, read.codes]).toEqual([message, codes]);
    expect(JSON.stringify(read)).not.toContain('canary');
  });

  it('reads what Google says of a limit', () => {
    const error = {
      code: 429,
      message: 'You exceeded your current quota',
      status: 'RESOURCE_EXHAUSTED',
      details: [
        {
          '@type': 'x/google.rpc.QuotaFailure',
          violations: [{ quotaId: 'GenerateRequestsPerDayPerProject' }],
        },
        { '@type': 'x/google.rpc.RetryInfo', retryDelay: '17s' },
        { '@type': 'x/google.rpc.ErrorInfo', reason: 'RATE_LIMIT_EXCEEDED' },
      ],
    };
    expect(readErrorBody(JSON.stringify({ error }))).toMatchObject({
      codes: '429 RESOURCE_EXHAUSTED RATE_LIMIT_EXCEEDED GenerateRequestsPerDayPerProject',
      retryDelay: '17s',
      status: 429,
    });
  });

  it.each([
    ['{"error":{"code":502}}', 502],
    ['{"error":{"code":"429"}}', 429],
    ['{"error":{"code":200}}', null],
    ['{"error":{"code":"invalid"}}', null],
    ['{}', null],
  ])('reads the status inside %s', (text, status) => {
    expect(readErrorBody(text).status).toBe(status);
  });

  it('takes plain text for a message, and a web page for nothing', () => {
    expect(readErrorBody('upstream timed out').message).toBe('upstream timed out');
    expect(readErrorBody(' <html><body>Login</body></html>').message).toBe('');
    expect(readErrorBody('').message).toBe('');
  });
});
