import { describe, expect, it } from 'vitest';
import {
  FINAL_FAULTS,
  isFinalFault,
  isReplyFault,
  isWorthSplitting,
  REPLY_FAULTS,
  TEMPORARY_FAULTS,
} from '../core/index.ts';
import { KrisisError } from '../core/krisis-error.ts';
import { asBackendError, BackendError } from './backend-error.ts';

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

describe('asBackendError', () => {
  it('leaves a backend error as it is', () => {
    const error = new BackendError('quota', 'no money left');
    expect(asBackendError(error)).toBe(error);
  });

  it('treats an unknown error as temporary, and keeps it as the cause', () => {
    const thrown = new TypeError('fetch failed');
    expect(asBackendError(thrown)).toMatchObject({
      fault: 'network',
      message: 'fetch failed',
      cause: thrown,
    });
    expect(asBackendError('boom')).toMatchObject({ fault: 'network', message: 'boom' });
  });

  it('takes an error that the user can act on for one that stops the run', () => {
    const error = asBackendError(new KrisisError('made for another task'));
    expect(error).toMatchObject({ fault: 'bad_request', message: 'made for another task' });
  });
});

describe('the kinds of faults', () => {
  it('are apart from each other', () => {
    const all = [...REPLY_FAULTS, ...TEMPORARY_FAULTS, ...FINAL_FAULTS];
    expect(new Set(all).size).toBe(all.length);
    expect(all.filter(isReplyFault)).toEqual([...REPLY_FAULTS]);
    expect(all.filter(isFinalFault)).toEqual([...FINAL_FAULTS]);
  });

  it('say which batches are worth splitting', () => {
    const all = [...REPLY_FAULTS, ...TEMPORARY_FAULTS, ...FINAL_FAULTS];
    expect(all.filter(isWorthSplitting)).toEqual([...REPLY_FAULTS, 'timeout', 'server']);
  });
});
