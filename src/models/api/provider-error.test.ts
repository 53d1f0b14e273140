import { APICallError, InvalidResponseDataError, LoadAPIKeyError } from '@ai-sdk/provider';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Fault } from '../../core/fault.ts';
import { BackendError, summariseError } from '../backend-error.ts';
import { toBackendError } from './provider-error.ts';

const KEY = 'canary-key-0123456789';
const PATIENT = 'Age (years): 61';
const context = {
  model: 'openai/gpt-x',
  provider: 'openai',
  host: 'api.openai.com',
  keyVariables: ['OPENAI_API_KEY'],
  secrets: [KEY],
  timeoutSeconds: 300,
  withoutQuotes: (text: string) => text.replaceAll(PATIENT, '[case]'),
};

interface Failure {
  readonly status?: number;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  readonly cause?: unknown;
}

function apiError({ status, body = '', headers = {}, cause }: Failure): APICallError {
  return new APICallError({
    message: 'Invalid JSON response',
    url: 'https://api.openai.com/v1/chat/completions',
    requestBodyValues: { messages: [PATIENT], key: KEY },
    ...(status === undefined ? {} : { statusCode: status }),
    responseHeaders: headers,
    responseBody: typeof body === 'string' ? body : JSON.stringify(body),
    cause,
  });
}

const told = (failure: Failure, more: Partial<Parameters<typeof toBackendError>[1]> = {}) =>
  toBackendError(apiError(failure), { ...context, ...more });
const openai = (message: string, code = '') => ({ error: { message, type: 'x', param: null, code } });

describe('toBackendError', () => {
  it.each<[Fault, Failure, string]>([
    [
      'auth',
      { status: 401, body: openai('Bad key') },
      'openai/gpt-x: not allowed; check OPENAI_API_KEY (HTTP 401): Bad key',
    ],
    [
      'unknown_model',
      { status: 404, body: openai('Gone') },
      'openai/gpt-x: no such model or address (HTTP 404): Gone',
    ],
    [
      'quota',
      { status: 429, body: openai('Pay', 'insufficient_quota') },
      'no quota left; the account needs credit or a higher limit (HTTP 429): Pay',
    ],
    ['rate_limit', { status: 429 }, 'openai/gpt-x: too many requests (HTTP 429)'],
    [
      'overloaded',
      { status: 503, body: '<html>Bad gateway</html>' },
      'openai/gpt-x: overloaded or unavailable (HTTP 503)',
    ],
    ['server', { status: 500, body: 'boom' }, 'openai/gpt-x: the server failed (HTTP 500): boom'],
    ['timeout', { status: 408 }, 'the server timed out (HTTP 408)'],
    [
      'too_long',
      { status: 413 },
      'the question is too long; lower the batch size or maxOutputTokens (HTTP 413)',
    ],
    [
      'refused',
      { status: 400, body: openai('No.', 'content_filter') },
      'the question was refused (HTTP 400): No.',
    ],
    ['bad_request', { status: 400, body: openai('What?') }, 'the request was not accepted (HTTP 400): What?'],
    [
      'bad_request',
      { status: 400, body: openai("Invalid schema for response_format 'answer'") },
      'the request was not accepted; turning structuredOutput off may help (HTTP 400)',
    ],
    [
      'bad_request',
      { status: 400, body: openai('max_tokens is too large: 20000') },
      'lower maxOutputTokens or the batch size (HTTP 400)',
    ],
    [
      'bad_request',
      { status: 308 },
      'api.openai.com redirects calls, which is not followed; set the right base URL (HTTP 308)',
    ],
    ['malformed', { status: 200, body: 'data: {}' }, 'openai/gpt-x: the reply could not be read (HTTP 200)'],
    [
      'malformed',
      { status: 200, body: '<!doctype html>' },
      'could not be read (HTTP 200): received a web page instead; is the base URL right, or is a proxy in between?',
    ],
    [
      'malformed',
      { status: 200, body: 'Log in', headers: { 'content-type': 'text/html' } },
      'received a web page instead',
    ],
    [
      'rate_limit',
      { status: 200, body: { error: { code: 429, message: 'Slow down' } } },
      'too many requests (HTTP 429): Slow down',
    ],
    [
      'network',
      { cause: Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }) },
      'openai/gpt-x: cannot reach api.openai.com (ECONNREFUSED)',
    ],
    [
      'network',
      { cause: Object.assign(new Error(), { code: 'ECONNRESET' }) },
      'openai/gpt-x: the connection to api.openai.com was interrupted (ECONNRESET)',
    ],
    [
      'network',
      { cause: Object.assign(new Error(), { code: 'UND_ERR_ABORTED' }) },
      'cannot reach api.openai.com (UND_ERR_ABORTED); the proxy in HTTPS_PROXY or HTTP_PROXY refused',
    ],
    [
      'timeout',
      { cause: Object.assign(new Error(), { code: 'UND_ERR_CONNECT_TIMEOUT' }) },
      'no reply from api.openai.com within 300 seconds (UND_ERR_CONNECT_TIMEOUT); a larger timeoutSeconds allows more time',
    ],
    [
      'network',
      { cause: Object.assign(new Error(), { code: 'SELF_SIGNED_CERT_IN_CHAIN' }) },
      'set NODE_EXTRA_CA_CERTS to it',
    ],
    [
      'malformed',
      { cause: Object.assign(new Error(), { code: 'UND_ERR_RES_EXCEEDED_MAX_SIZE' }) },
      'the reply is larger than any answer can be',
    ],
  ])('%s: %j', (fault, failure, message) => {
    const error = told(failure);
    expect(error).toBeInstanceOf(BackendError);
    expect(error.message).toContain(message);
    expect(error.fault).toBe(fault);
  });

  it('knows errors of the SDKs, and takes what it does not know for a passing one', () => {
    const classifyError = (error: unknown) => toBackendError(error, context).fault;
    expect(classifyError(new InvalidResponseDataError({ data: null, message: 'no choices' }))).toBe(
      'malformed',
    );
    expect(classifyError(new LoadAPIKeyError({ message: 'no key' }))).toBe('auth');
    expect(classifyError(new Error('Could not load the default credentials.'))).toBe('auth');
    expect(classifyError(new DOMException('late', 'TimeoutError'))).toBe('timeout');
    expect(classifyError(new Error('?'))).toBe('network');
    expect(classifyError('?')).toBe('network');
    const own = new BackendError('empty', 'x');
    expect(toBackendError(own, context)).toBe(own);
  });

  it('names the field that the SDK refused, and keeps the body without keys and quotes', () => {
    const { error: cause } = z.object({ output: z.array(z.object({ status: z.string() })) }).safeParse({
      output: [{}],
    });
    const error = told({ status: 200, body: { output: [{ said: `${KEY} ${PATIENT}` }] }, cause });
    expect(error).toMatchObject({ fault: 'malformed', problem: 'unexpected_field', status: 200 });
    expect(error.message).toBe(
      'openai/gpt-x: the reply could not be read (HTTP 200): output[0].status: expected string',
    );
    expect(summariseError(error)).toBe(error.message);
    expect(error.rawResponse).toBe('{"output":[{"said":"[key] [case]"}]}');
  });

  it('withholds a field of protected records whose name may be a value', () => {
    const { error: cause } = z.record(z.string(), z.number()).safeParse({ Quibblewick: 'x' });
    const error = told({ status: 200, body: { Quibblewick: 'x' }, cause });
    expect(error.message).toContain('Quibblewick: expected number');
    expect(summariseError(error)).toBe('openai/gpt-x: the reply could not be read (HTTP 200)');
  });

  it('cuts a long body, and says so', () => {
    const { rawResponse, problem } = told({ status: 200, body: `data: ${'x'.repeat(50_000)}` });
    expect(problem).toBe('not_json');
    expect(rawResponse).toMatch(/^data: x{19994}… \[cut: the reply has 50006 characters\]$/);
    expect(told({ status: 200, body: '<!doctype html>Log in' })).toMatchObject({
      problem: 'web_page',
      rawResponse: '<!doctype html>Log in',
    });
    expect(told({ status: 200, body: '' }).rawResponse).toBeNull();
  });

  it('takes a mistake that a reply causes in an SDK for an unreadable reply, not for a failure of the network', () => {
    const error = toBackendError(new TypeError("Cannot read properties of undefined (reading 'x')"), context);
    expect(error.fault).toBe('malformed');
  });

  it.each([
    ['ECONNREFUSED', 'not_connected'],
    ['ENOTFOUND', 'not_connected'],
    ['ECONNRESET', 'network'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'network'],
  ])('knows an address where nothing answers: %s', (code, problem) => {
    const error = told({ cause: Object.assign(new Error(), { code }) });
    expect(error).toMatchObject({ fault: 'network', problem });
  });

  it('helps with Ollama', () => {
    const ollama = {
      model: 'ollama/llama3.2',
      provider: 'ollama',
      host: '127.0.0.1:11434',
      keyVariables: [],
    };
    const away = Object.assign(new Error(), { code: 'ECONNREFUSED' });
    expect(told({ cause: away }, ollama).message).toBe(
      'ollama/llama3.2: cannot reach 127.0.0.1:11434 (ECONNREFUSED); is it running? start it with: ollama serve',
    );
    expect(told({ status: 404, body: openai('model not found') }, ollama).message).toContain(
      'no such model; fetch it with: ollama pull llama3.2 (HTTP 404)',
    );
    expect(told({ status: 401 }, ollama).message).toBe('ollama/llama3.2: not allowed (HTTP 401)');
  });

  it.each<[Failure, number | null]>([
    [{ status: 429, headers: { 'retry-after': '12' } }, 12],
    [{ status: 529, headers: { 'retry-after-ms': '1500' } }, 1.5],
    [{ status: 503, headers: { 'retry-after': '3600' } }, 3600],
    [{ status: 500, headers: { 'retry-after': '2' } }, 2],
    [{ status: 429, body: { error: { code: 429, message: 'x', details: [{ retryDelay: '17s' }] } } }, 17],
    [{ status: 429 }, null],
  ])('says how long to wait: %j', (failure, seconds) => {
    expect(told(failure).retryAfterSeconds).toBe(seconds);
  });

  it('keeps keys, patients and the request out of all that it gives', () => {
    const quoting = `${KEY} sent "${PATIENT}" with Bearer ${KEY}`;
    const failures: Failure[] = [
      ...[200, 308, 400, 401, 403, 404, 413, 429, 500, 503].flatMap((status) => [
        { status, body: openai(quoting) },
        { status, body: quoting },
        { status, body: { error: { code: 403, message: quoting, metadata: { flagged_input: quoting } } } },
      ]),
      { cause: Object.assign(new Error(quoting), { code: 'ECONNRESET' }) },
    ];
    const errors = [...failures.map((failure) => told(failure)), toBackendError(new Error(quoting), context)];
    for (const error of errors) {
      expect(error.cause).toBeUndefined();
      for (const text of [error.message, error.stack ?? '', JSON.stringify(error)]) {
        expect(text).not.toContain(KEY);
        expect(text).not.toContain(PATIENT);
      }
      expect(error.message).not.toMatch(/\n/);
    }
  });

  it('gives the same words for the same trouble', () => {
    const once = (id: string) =>
      told({ status: 500, body: openai(`It broke (request ID req_${id}).`) }).message;
    expect(once('0011223344556677')).toBe(once('8899aabbccddeeff'));
  });
});
