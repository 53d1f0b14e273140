import { describe, expect, it } from 'vitest';
import { isCertificateCode, networkFault } from './faults.ts';

const coded = (code: string, more: object = {}) => Object.assign(new Error('x'), { code, ...more });

describe('networkFault', () => {
  it.each<[string, unknown, string | null]>([
    ['a refused connection', coded('ECONNREFUSED'), 'network'],
    ['an unknown host', coded('ENOTFOUND'), 'network'],
    ['a socket that broke', coded('UND_ERR_SOCKET'), 'network'],
    ['a reply that is no HTTP', coded('HPE_INVALID_CONSTANT'), 'network'],
    ['a certificate', coded('DEPTH_ZERO_SELF_SIGNED_CERT'), 'network'],
    ['a server without TLS', coded('ERR_SSL_WRONG_VERSION_NUMBER'), 'network'],
    ['several addresses', new AggregateError([coded('ECONNREFUSED')]), 'network'],
    [
      'a cause within a cause',
      new Error('a', { cause: new Error('b', { cause: coded('EPIPE') }) }),
      'network',
    ],
    ['a proxy that does not let it through', coded('UND_ERR_ABORTED', { name: 'AbortError' }), 'network'],
    ['a connection that does not come', coded('UND_ERR_CONNECT_TIMEOUT'), 'timeout'],
    ['headers that do not come', coded('UND_ERR_HEADERS_TIMEOUT'), 'timeout'],
    ['a body that does not come', coded('UND_ERR_BODY_TIMEOUT'), 'timeout'],
    ['our own limit', new DOMException('late', 'TimeoutError'), 'timeout'],
    ['a call given up', new DOMException('stop', 'AbortError'), 'timeout'],
    ['a reply without end', coded('UND_ERR_RES_EXCEEDED_MAX_SIZE'), 'malformed'],
    ['a wrong argument', coded('UND_ERR_INVALID_ARG'), null],
    ['a mistake of ours', coded('ERR_INVALID_ARG_TYPE'), null],
    ['an error without a code', new Error('x'), null],
    ['no error', 'x', null],
  ])('%s', (_, error, fault) => {
    expect(networkFault(error)?.fault ?? null).toBe(fault);
  });

  it('does not run in circles', () => {
    const error = new Error('x');
    error.cause = error;
    expect(networkFault(error)).toBeNull();
  });
});

it('isCertificateCode knows trouble with certificates', () => {
  expect(['CERT_HAS_EXPIRED', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'].every(isCertificateCode)).toBe(true);
  expect(isCertificateCode('ECONNREFUSED')).toBe(false);
});
