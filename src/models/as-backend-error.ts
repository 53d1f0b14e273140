import { inspect } from 'node:util';
import { errorKind, KrisisError } from '../core/errors.ts';
import { type Fault, isFailureProblem, isFault } from '../core/fault.ts';
import { fieldsIn, httpFault, isErrorStatus, networkFault, retryAfterSeconds } from './api/faults.ts';
import { BackendError, ownError } from './backend-error.ts';

/** Errors of the language that a mistake in the code causes. A SyntaxError is not among them: at run time it is a reply that is not JSON. */
const MISTAKES = [TypeError, ReferenceError, RangeError, EvalError, URIError];

/**
 * Whatever a backend threw, as a backend error. An error that says what failed (a code of the network, an HTTP status) gets that fault; a SyntaxError is an unreadable reply. An error that does not say is
 * never taken for a passing one: on a batch, smaller ones are tried; on a single record, a mistake in the code stops the run, and any other error fails the row. A KrisisError, which the user must act on, stops the run.
 */
export function asBackendError(
  thrown: unknown,
  {
    backend,
    recordIds,
    isBatch = recordIds.length > 1,
  }: {
    readonly backend: string;
    readonly recordIds: readonly string[];
    /** Whether the code that answers batches was called, perhaps with one record. */
    readonly isBatch?: boolean;
  },
): BackendError {
  // No compiler checked a backend from a config.
  if (thrown instanceof BackendError && isFault(thrown.fault) && isFailureProblem(thrown.problem))
    return thrown;
  if (thrown instanceof KrisisError)
    return new BackendError('bad_request', thrown.message, { cause: thrown });
  const network = networkFault(thrown);
  if (network !== null) return describe(network.fault, thrown, backend, { code: network.code });
  const status = findStatus(thrown);
  if (status !== null)
    return describe(httpFault(status, describeThrown(thrown)), thrown, backend, {
      code: `HTTP ${status}`,
      status,
      retryAfterSeconds: retryAfterSeconds(findHeaders(thrown)),
    });
  if (thrown instanceof SyntaxError) return describe('malformed', thrown, backend);
  if (isBatch || !MISTAKES.some((kind) => thrown instanceof kind))
    return describe('backend', thrown, backend);
  return describe('programming_error', thrown, backend, { record: recordIds[0] });
}

/** `code` is a code of the network or a status: all that may be shown of the failure where records are protected. */
function describe(
  fault: Fault,
  thrown: unknown,
  backend: string,
  {
    code,
    record,
    ...options
  }: { readonly code?: string; readonly record?: string | undefined } & Partial<
    Pick<BackendError, 'status' | 'retryAfterSeconds'>
  > = {},
): BackendError {
  const kind = errorKind(thrown);
  const text = describeThrown(thrown);
  const details = code === undefined || text.includes(code) ? [] : [code];
  if (record !== undefined) details.push(`case ${record}`);
  const message = kind === 'Error' ? text : `${kind}: ${text}`;
  const summary = code ?? (kind === 'Error' ? 'an error' : `a ${kind}`);
  return ownError(fault, `${backend}: ${message}${details.length === 0 ? '' : ` (${details.join(', ')})`}`, {
    ...options,
    cause: thrown,
    // What a backend paid before it failed is unknown.
    unbilled: fault === 'rate_limit',
    summary: `${backend}: ${summary}; the text of the error is withheld, because the cases are protected`,
  });
}

/** Anything can be thrown. */
function describeThrown(thrown: unknown): string {
  if (thrown instanceof Error) {
    const text = String(thrown.message || thrown.name);
    // `fetch failed` says nothing without its cause.
    return thrown.cause instanceof Error && thrown.cause.message ? `${text}: ${thrown.cause.message}` : text;
  }
  return typeof thrown === 'string' ? thrown : inspect(thrown, { depth: 1 });
}

/** The HTTP status in an error of the usual libraries: `status`, `statusCode`, or that of its `response`. */
function findStatus(thrown: unknown): number | null {
  const { status, statusCode, response } = fieldsIn(thrown);
  const stated = [status, statusCode, fieldsIn(response).status];
  return stated.find(isErrorStatus) ?? null;
}

function findHeaders(thrown: unknown): Record<string, string> {
  const { headers, responseHeaders, response } = fieldsIn(thrown);
  const given = headers ?? responseHeaders ?? fieldsIn(response).headers;
  const pairs = given instanceof Headers ? [...given] : Object.entries(fieldsIn(given));
  return Object.fromEntries(pairs.map(([name, value]) => [name.toLowerCase(), String(value)]));
}
