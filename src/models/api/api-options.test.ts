import { describe, expect, it } from 'vitest';
import { KrisisError } from '../../core/errors.ts';
import {
  type ApiOptions,
  completeOptions,
  DEFAULT_MAX_OUTPUT_TOKENS,
  DEFAULT_TIMEOUT_SECONDS,
  REASONING_EFFORTS,
} from './api-options.ts';

describe('completeOptions', () => {
  it('fills in defaults, and sends neither temperature nor effort of its own accord', () => {
    expect(completeOptions({})).toEqual({
      maxOutputTokens: DEFAULT_MAX_OUTPUT_TOKENS,
      timeoutSeconds: DEFAULT_TIMEOUT_SECONDS,
      structuredOutput: true,
      reasoning: true,
      connections: 64,
      keyRequired: true,
      sendKey: true,
      env: process.env,
    });
  });

  it('lets eight rows stay within what common models can give', () => {
    expect(8 * DEFAULT_MAX_OUTPUT_TOKENS).toBeLessThanOrEqual(16_384);
  });

  it('keeps what is given', () => {
    const given = { temperature: 0, maxOutputTokens: 5, structuredOutput: false, env: { A: 'b' } };
    expect(completeOptions(given)).toMatchObject(given);
    for (const reasoningEffort of REASONING_EFFORTS)
      expect(completeOptions({ reasoningEffort }).reasoningEffort).toBe(reasoningEffort);
  });

  it.each<[object, string]>([
    [{ temperature: -1 }, 'temperature is -1; expected zero or more'],
    [{ temperature: '0' }, 'temperature is "0"; expected zero or more'],
    [{ maxOutputTokens: 0.5 }, 'maxOutputTokens is 0.5; expected a whole number'],
    [{ timeoutSeconds: 0 }, 'timeoutSeconds is 0; expected more than zero'],
    [{ timeoutSeconds: 1e7 }, 'timeoutSeconds is 10000000; expected more than zero and at most a day'],
    [{ timeoutSeconds: Number.NaN }, 'timeoutSeconds is null; expected more than zero'],
    [{ connections: 0 }, 'connections is 0; expected a whole number'],
    [{ price: { input: -1, output: 1 } }, 'price.input is -1'],
    [{ price: { input: 1, output: Number.NaN } }, 'price.output is null'],
    [{ reasoningEffort: 'huge' }, 'reasoningEffort is "huge"; expected one of none, minimal'],
  ])('refuses %j', (options, message) => {
    expect(() => completeOptions(options as ApiOptions)).toThrow(KrisisError);
    expect(() => completeOptions(options as ApiOptions)).toThrow(message);
  });
});
