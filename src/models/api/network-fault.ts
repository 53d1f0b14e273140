import type { Fault } from '../backend-error.ts';

/** The code of a call that got no reply, e.g. `ECONNREFUSED`, and what kind of trouble that is; null for an error of another kind. */
export function networkFault(thrown: unknown): { readonly fault: Fault; readonly code: string } | null {
  for (const error of chain(thrown)) {
    const { name, code } = error as { name?: unknown; code?: unknown };
    // undici has a proxy that does not let a call through as aborted, under the same name as a call that was given up.
    if (code === 'UND_ERR_ABORTED') return { fault: 'network', code };
    if (name === 'TimeoutError' || name === 'AbortError') return { fault: 'timeout', code: name };
    if (typeof code !== 'string') continue;
    if (TIMEOUTS.test(code)) return { fault: 'timeout', code };
    if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') return { fault: 'malformed', code };
    if (NETWORK.test(code)) return { fault: 'network', code };
  }
  return null;
}

/** Whether the trouble is with the server's certificate: no retry mends that, and the user can. */
export function isCertificateCode(code: string): boolean {
  return CERTIFICATE.test(code);
}

const TIMEOUTS = /^(ETIMEDOUT|UND_ERR_(HEADERS|BODY|CONNECT)_TIMEOUT)$/;
const CERTIFICATE = /CERT|UNABLE_TO_VERIFY_LEAF_SIGNATURE|UNABLE_TO_GET_ISSUER/;
/** Of the system, of undici (but for its word on wrong arguments), of its parser of replies, of TLS. */
const NETWORK = new RegExp(
  `^(E(?!RR_)[A-Z_]{3,}|UND_ERR_(?!INVALID)\\w+|HPE_\\w+|ERR_(SSL|TLS)_\\w+)$|${CERTIFICATE.source}`,
);

/** An error, its causes, and the errors that it is made of. */
function* chain(error: unknown, depth = 0): Generator<object> {
  if (typeof error !== 'object' || error === null || depth > 5) return;
  yield error;
  if (error instanceof AggregateError) for (const part of error.errors) yield* chain(part, depth + 1);
  if ('cause' in error) yield* chain(error.cause, depth + 1);
}
