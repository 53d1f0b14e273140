import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { KrisisError } from '../core/errors.ts';
import { asBackendError } from './as-backend-error.ts';
import { BackendError, summariseError } from './backend-error.ts';

const one = { backend: 'mine', recordIds: ['p-17'] };
const several = { backend: 'mine', recordIds: ['p-17', 'p-18'] };

/** What `work` throws. */
function thrownBy(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

describe('asBackendError', () => {
  it('leaves a backend error as it is', () => {
    const error = new BackendError('quota', 'no money left');
    expect(asBackendError(error, one)).toBe(error);
  });

  it.each([
    ['a TypeError', new TypeError('x is not a function'), 'TypeError: x is not a function'],
    ['a ReferenceError', new ReferenceError('x is not defined'), 'ReferenceError: x is not defined'],
    ['a RangeError', new RangeError('Invalid array length'), 'RangeError: Invalid array length'],
  ])('stops the run for %s on a single case, with the backend, the case and the cause', (_, thrown, said) => {
    const error = asBackendError(thrown, one);
    expect(error).toMatchObject({ fault: 'programming_error', cause: thrown, unbilled: false });
    expect(error.message).toBe(`mine: ${said} (case p-17)`);
  });

  it('tries smaller batches first: the records may be at fault, not the code', () => {
    expect(asBackendError(new TypeError('x'), several)).toMatchObject({ fault: 'backend' });
    expect(asBackendError(new Error('x'), several)).toMatchObject({ fault: 'backend' });
  });

  it('takes a SyntaxError for a reply that is not JSON', () => {
    const thrown = thrownBy(() => JSON.parse('Sure! {"answer"'));
    for (const call of [one, several]) expect(asBackendError(thrown, call).fault).toBe('malformed');
  });

  it.each([
    ['an error', new Error('the model is asleep'), 'mine: the model is asleep'],
    ['a text', 'boom', 'mine: boom'],
    ['nothing', undefined, 'mine: undefined'],
    ['an object without a prototype', Object.create(null), 'mine: [Object: null prototype] {}'],
    ['a symbol', Symbol('s'), 'mine: Symbol(s)'],
  ])('never takes %s that explains nothing for a failure of the network', (_, thrown, message) => {
    expect(asBackendError(thrown, one)).toMatchObject({ fault: 'backend', message });
  });

  it('takes a file that is not there for a fault of the backend', () => {
    const thrown = thrownBy(() => readFileSync('/nowhere/weights.json'));
    expect(asBackendError(thrown, one).fault).toBe('backend');
  });

  it('knows failures of the network by their code', () => {
    const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
    const error = asBackendError(new TypeError('fetch failed', { cause: refused }), one);
    expect(error).toMatchObject({
      fault: 'network',
      message: 'mine: TypeError: fetch failed: connect (ECONNREFUSED)',
    });
    expect(asBackendError(new DOMException('', 'TimeoutError'), one).fault).toBe('timeout');
  });

  it.each<[string, object, object]>([
    [
      'status',
      { status: 429, headers: { 'Retry-After': '12' } },
      { fault: 'rate_limit', retryAfterSeconds: 12, status: 429 },
    ],
    ['statusCode', { statusCode: 503 }, { fault: 'overloaded', retryAfterSeconds: null }],
    [
      'response',
      { response: { status: 429, headers: new Headers({ 'retry-after': '3' }) } },
      { fault: 'rate_limit', retryAfterSeconds: 3 },
    ],
    ['a wrong key', { status: 401 }, { fault: 'auth' }],
    ['no error', { status: 200 }, { fault: 'backend' }],
  ])('reads the HTTP status of an error of a client library: %s', (_, fields, expected) => {
    expect(asBackendError(Object.assign(new Error('refused'), fields), one)).toMatchObject(expected);
  });

  it('takes an error that the user can act on for one that stops the run', () => {
    const error = asBackendError(new KrisisError('made for another task'), one);
    expect(error).toMatchObject({ fault: 'bad_request', message: 'made for another task' });
  });

  it('shows the kind of an error, a code and a status of protected records, and not its text', () => {
    const withheld = 'the text of the error is withheld, because the cases are protected';
    const summary = (thrown: unknown) => summariseError(asBackendError(thrown, one));
    expect(summary(new TypeError('Quibblewick'))).toBe(`mine: a TypeError; ${withheld}`);
    expect(summary(Object.assign(new Error('Quibblewick'), { name: 'Zoltan' }))).toBe(
      `mine: an error; ${withheld}`,
    );
    expect(summary(Object.assign(new Error('Quibblewick'), { status: 500 }))).toBe(
      `mine: HTTP 500; ${withheld}`,
    );
  });
});
