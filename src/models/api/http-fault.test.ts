import { describe, expect, it } from 'vitest';
import type { Fault } from '../../core/fault.ts';
import { httpFault } from './faults.ts';

describe('httpFault', () => {
  it.each<[Fault, number, string]>([
    ['auth', 401, ''],
    ['auth', 403, 'permission_error'],
    ['auth', 400, 'INVALID_ARGUMENT API_KEY_INVALID API key not valid. Please pass a valid API key.'],
    ['auth', 400, 'invalid-argument Incorrect API key provided: xa***yz.'],
    ['unknown_model', 404, ''],
    ['unknown_model', 404, 'model_not_found The model `x` does not exist or you do not have access to it.'],
    ['unknown_model', 403, 'model_not_found Project does not have access to model'],
    ['unknown_model', 400, '400 x/y is not a valid model ID'],
    ['unknown_model', 400, 'The provided model identifier is invalid.'],
    ['quota', 402, 'Insufficient credits'],
    ['quota', 429, 'insufficient_quota You exceeded your current quota'],
    ['quota', 400, 'invalid_request_error Your credit balance is too low to access the Anthropic API.'],
    ['quota', 400, 'invalid_request_error You have reached your specified API usage limits.'],
    ['quota', 429, 'RESOURCE_EXHAUSTED GenerateRequestsPerDayPerProjectPerModel-FreeTier You exceeded'],
    ['quota', 429, 'Your team has either used all available credits or reached its monthly spending limit.'],
    [
      'rate_limit',
      429,
      'RESOURCE_EXHAUSTED GenerateRequestsPerMinutePerProject You exceeded your current quota',
    ],
    ['rate_limit', 429, 'rate_limit_exceeded Rate limit reached on requests per day (RPD): Limit 200'],
    ['rate_limit', 429, ''],
    ['too_long', 429, 'rate_limit_exceeded Request too large for gpt-x on tokens per min (TPM): Limit 30000'],
    ['too_long', 413, ''],
    ['too_long', 400, 'context_length_exceeded'],
    ['too_long', 400, 'invalid_request_error prompt is too long: 210000 tokens > 200000 maximum'],
    [
      'too_long',
      400,
      'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
    ],
    [
      'too_long',
      400,
      "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens",
    ],
    ['too_long', 400, "This model's maximum prompt length is 131072 but the request contains 140000 tokens."],
    ['too_long', 400, 'Input is too long for requested model.'],
    ['too_long', 500, 'exceed_context_size_error the request exceeds the available context size'],
    ['refused', 400, 'content_filter ResponsibleAIPolicyViolation The response was filtered'],
    ['refused', 400, 'content_policy_violation'],
    ['refused', 403, '403 flagged_input Your chosen model requires moderation'],
    ['refused', 403, 'Content violates usage guidelines. Failed check: SAFETY_CHECK_TYPE_BIO'],
    ['timeout', 408, ''],
    ['overloaded', 503, ''],
    ['overloaded', 502, ''],
    ['overloaded', 504, ''],
    ['overloaded', 529, 'overloaded_error Overloaded'],
    ['overloaded', 500, 'overloaded_error Overloaded'],
    ['server', 500, ''],
    ['server', 520, ''],
    ['server', 409, ''],
    ['bad_request', 400, 'Unsupported value: temperature'],
    [
      'bad_request',
      400,
      'max_tokens is too large: 20000. This model supports at most 16384 completion tokens',
    ],
    ['bad_request', 422, 'field required'],
    ['bad_request', 418, ''],
    ['bad_request', 308, ''],
  ])('%s: %i %s', (fault, status, said) => {
    expect(httpFault(status, said)).toBe(fault);
  });
});
