import type { Fault } from '../../core/index.ts';

/** The fault and code of a call that got no reply, e.g. `ECONNREFUSED`; null for other errors. */
export function networkFault(thrown: unknown): { readonly fault: Fault; readonly code: string } | null {
  for (const error of chain(thrown)) {
    const { name, code, path } = error as { name?: unknown; code?: unknown; path?: unknown };
    // A file or program that is not there has the same kind of code as a host.
    if (typeof path === 'string') continue;
    // When a proxy refuses a call, undici reports it as aborted, under the same name as a cancelled call.
    if (code === 'UND_ERR_ABORTED') return { fault: 'network', code };
    if (name === 'TimeoutError' || name === 'AbortError') return { fault: 'timeout', code: name };
    if (typeof code !== 'string') continue;
    if (TIMEOUTS.test(code)) return { fault: 'timeout', code };
    if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') return { fault: 'malformed', code };
    if (NETWORK.test(code)) return { fault: 'network', code };
  }
  return null;
}

/** Whether the server's certificate is the problem: the user can fix that, a retry cannot. */
export function isCertificateCode(code: string): boolean {
  return CERTIFICATE.test(code);
}

/** Whether the request was never sent, because there was no connection. */
export function isNotConnected(code: string): boolean {
  return NOT_CONNECTED.test(code) || isCertificateCode(code);
}

const NOT_CONNECTED =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|UND_ERR_ABORTED)$/;
const TIMEOUTS = /^(ETIMEDOUT|UND_ERR_(HEADERS|BODY|CONNECT)_TIMEOUT)$/;
const CERTIFICATE = /CERT|UNABLE_TO_VERIFY_LEAF_SIGNATURE|UNABLE_TO_GET_ISSUER/;
/** Codes of the system, of undici (except wrong arguments), of its HTTP parser, and of TLS. */
const NETWORK = new RegExp(
  `^(E(?!RR_)[A-Z_]{3,}|UND_ERR_(?!INVALID)\\w+|HPE_\\w+|ERR_(SSL|TLS)_\\w+)$|${CERTIFICATE.source}`,
);

/** An error, its causes, and the errors it aggregates. */
function* chain(error: unknown, depth = 0): Generator<object> {
  if (typeof error !== 'object' || error === null || depth > 5) return;
  yield error;
  if (error instanceof AggregateError) for (const part of error.errors) yield* chain(part, depth + 1);
  if ('cause' in error) yield* chain(error.cause, depth + 1);
}
