import { describe, expect, it } from 'vitest';
import {
  BACKEND_FAULTS,
  FINAL_FAULTS,
  isFinalFault,
  isReplyFault,
  isTemporaryFault,
  isWorthSplitting,
  REPLY_FAULTS,
  TEMPORARY_FAULTS,
} from '../core/fault.ts';
import { BackendError } from './backend-error.ts';

describe('BackendError', () => {
  it('keeps what came back with it, and has nothing where nothing was given', () => {
    const usage = { inputTokens: 10, outputTokens: 2 };
    const error = new BackendError('malformed', 'no JSON', { usage, rawResponse: '{', cause: 'x' });
    expect([error.fault, error.usage, error.rawResponse, error.cause]).toEqual([
      'malformed',
      usage,
      '{',
      'x',
    ]);
    const bare = new BackendError('timeout', 'late');
    expect([bare.partial, bare.usage, bare.retryAfterSeconds, bare.rawResponse]).toEqual([
      [],
      { inputTokens: null, outputTokens: null },
      null,
      null,
    ]);
  });

  it.each([
    [12, 12],
    [0, 0],
    [-1, null],
    [Number.NaN, null],
    [Number.POSITIVE_INFINITY, null],
  ])('takes a wait of %s for %s', (told, understood) => {
    const error = new BackendError('rate_limit', 'slow down', { retryAfterSeconds: told });
    expect(error.retryAfterSeconds).toBe(understood);
  });
});

it('keeps a status and a problem only where they are what they say: both are stored of protected records', () => {
  const given = { status: 'Doe' as never, problem: 'Doe' as never };
  expect(new BackendError('server', 'x', given)).toMatchObject({ status: null, problem: 'server' });
  const error = new BackendError('malformed', 'x', { status: 200, problem: 'web_page' });
  expect(error).toMatchObject({ status: 200, problem: 'web_page' });
});

describe('the kinds of faults', () => {
  it('are apart from each other', () => {
    const all = [...REPLY_FAULTS, ...TEMPORARY_FAULTS, ...BACKEND_FAULTS, ...FINAL_FAULTS];
    expect(new Set(all).size).toBe(all.length);
    expect(all.filter(isReplyFault)).toEqual([...REPLY_FAULTS]);
    expect(all.filter(isTemporaryFault)).toEqual([...TEMPORARY_FAULTS]);
    expect(all.filter(isFinalFault)).toEqual([...FINAL_FAULTS]);
  });

  it('say which batches are worth splitting', () => {
    const all = [...REPLY_FAULTS, ...TEMPORARY_FAULTS, ...BACKEND_FAULTS, ...FINAL_FAULTS];
    expect(all.filter((fault) => isWorthSplitting(fault))).toEqual([
      ...REPLY_FAULTS,
      'timeout',
      'server',
      'backend',
    ]);
    expect(isWorthSplitting('malformed', 'malformed')).toBe(true);
    expect(isWorthSplitting('malformed', 'web_page'), 'a smaller question gets the same page').toBe(false);
  });
});
