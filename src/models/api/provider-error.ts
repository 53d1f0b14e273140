import { APICallError } from '@ai-sdk/provider';
import { BackendError, type Fault } from '../backend-error.ts';
import { readErrorBody } from './error-body.ts';
import { httpFault } from './http-fault.ts';
import { isCertificateCode, networkFault } from './network-fault.ts';
import { providerMessage } from './provider-message.ts';
import { retryAfterSeconds } from './retry-after.ts';

/** What an error is told with. */
export interface CallContext {
  /** The model as the user names it. */
  readonly model: string;
  readonly provider: string;
  readonly host: string;
  /** The variables that hold the key, for the user to check. */
  readonly keyVariables: readonly string[];
  /** What must never be in a message. */
  readonly secrets: readonly string[];
  readonly timeoutSeconds: number;
  /** Takes out of a text what it quotes of the question. */
  readonly withoutQuotes?: (text: string) => string;
}

/**
 * What an SDK threw, as a fault and one line that says what to do. The error itself is not kept as the cause: it holds the request, with patient data in its body and the key in its headers.
 */
export function toBackendError(thrown: unknown, context: CallContext): BackendError {
  if (thrown instanceof BackendError) return thrown;
  if (APICallError.isInstance(thrown) && thrown.statusCode !== undefined)
    return httpError(thrown, thrown.statusCode, context);
  const found = networkFault(thrown);
  if (found !== null) return noReply(found.fault, found.code, context);
  const { name, message } = thrown instanceof Error ? thrown : new Error(String(thrown));
  return describe(NAMED[name] ?? (CREDENTIALS.test(message) ? 'auth' : 'network'), null, message, context);
}

/** Errors of the SDKs themselves, by name. */
const NAMED: Readonly<Record<string, Fault>> = {
  AI_InvalidResponseDataError: 'malformed',
  AI_TypeValidationError: 'malformed',
  AI_JSONParseError: 'malformed',
  AI_EmptyResponseBodyError: 'malformed',
  AI_NoContentGeneratedError: 'malformed',
  AI_LoadAPIKeyError: 'auth',
  AI_LoadSettingError: 'auth',
  AI_UnsupportedFunctionalityError: 'bad_request',
  AI_InvalidArgumentError: 'bad_request',
  AI_InvalidPromptError: 'bad_request',
};

/** Google's library, when it finds no login or one that has run out. */
const CREDENTIALS = /default credentials|invalid_grant|invalid_rapt|reauth/i;

function httpError(error: APICallError, statusCode: number, context: CallContext): BackendError {
  const text = error.responseBody ?? '';
  const body = readErrorBody(text);
  if (statusCode < 300 && body.status === null)
    return describe('malformed', statusCode, unreadable(text, error.responseHeaders), context);
  // Gateways wrap the error of the provider behind them in a reply that looks fine.
  const status = statusCode < 300 ? body.status! : statusCode;
  const message = context.withoutQuotes?.(body.message) ?? body.message;
  const fault = httpFault(status, `${body.codes} ${message}`);
  const retryAfter = retryAfterSeconds(error.responseHeaders, body.retryDelay);
  return describe(fault, status, body.message, context, retryAfter);
}

function unreadable(text: string, headers: Readonly<Record<string, string>> | undefined): string {
  const isPage = text.trimStart().startsWith('<') || headers?.['content-type']?.includes('html');
  return isPage ? 'a web page came instead; is the base URL right, or is a proxy in between?' : '';
}

function noReply(fault: Fault, code: string, context: CallContext): BackendError {
  const { model, provider, host, timeoutSeconds } = context;
  if (fault === 'malformed') return describe(fault, null, 'the reply never ended', context);
  if (fault === 'timeout')
    return new BackendError(
      fault,
      `${model}: no reply from ${host} within ${timeoutSeconds} seconds (${code}); --timeout gives it longer`,
    );
  const words = BROKEN.test(code) ? `the connection to ${host} broke off` : `cannot reach ${host}`;
  return new BackendError(fault, `${model}: ${words} (${code})${hintFor(code, provider)}`);
}

const BROKEN = /^(ECONNRESET|EPIPE|UND_ERR_SOCKET|HPE_\w+)$/;

function hintFor(code: string, provider: string): string {
  if (isCertificateCode(code))
    return '; if a proxy signs with its own certificate, name that in NODE_EXTRA_CA_CERTS';
  if (code === 'UND_ERR_ABORTED')
    return '; the proxy in HTTPS_PROXY or HTTP_PROXY did not let the call through';
  return code === 'ECONNREFUSED' && provider === 'ollama'
    ? '; is it running? start it with: ollama serve'
    : '';
}

function describe(
  fault: Fault,
  status: number | null,
  said: string,
  context: CallContext,
  retryAfter: number | null = null,
): BackendError {
  const { model, secrets, withoutQuotes } = context;
  const message = providerMessage(said, secrets, withoutQuotes);
  const words = `${wordsFor(fault, status, message, context)}${status === null ? '' : ` (HTTP ${status})`}`;
  return new BackendError(fault, `${model}: ${words}${message === '' ? '' : `: ${message}`}`, {
    ...(retryAfter === null ? {} : { retryAfterSeconds: retryAfter }),
  });
}

function wordsFor(fault: Fault, status: number | null, message: string, context: CallContext): string {
  if (fault === 'auth') {
    const variables = context.keyVariables.join(' or ');
    return variables === '' ? 'not allowed' : `not allowed; check ${variables}`;
  }
  if (fault === 'unknown_model' && context.provider === 'ollama')
    return `no such model; fetch it with: ollama pull ${context.model.slice(context.model.indexOf('/') + 1)}`;
  if (fault === 'bad_request' && status !== null && status >= 300 && status < 400)
    return `${context.host} sends calls elsewhere, which are not followed; give the right base URL`;
  if (fault === 'bad_request' && /response_?format|json_?schema|structured output/i.test(message))
    return 'the request was not accepted; --no-structured-output may help';
  if (fault === 'bad_request' && /max_?(completion_|output_)?tokens/i.test(message))
    return 'the request was not accepted; lower --max-output-tokens or --batch-size';
  return WORDS[fault] ?? 'the call failed';
}

const WORDS: Partial<Record<Fault, string>> = {
  unknown_model: 'no such model, or no such address',
  quota: 'nothing left to spend there; the account needs credit or a higher limit',
  rate_limit: 'too many requests',
  overloaded: 'overloaded or away',
  server: 'the server failed',
  timeout: 'the server gave up waiting',
  too_long: 'the question is too long; lower --batch-size or --max-output-tokens',
  refused: 'the question was refused',
  bad_request: 'the request was not accepted',
  malformed: 'the reply could not be read',
  network: 'the call failed',
};
