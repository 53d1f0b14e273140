import type { Fault } from '../../core/fault.ts';
import type { Destination } from '../backend.ts';
import { BackendError, ownError } from '../backend-error.ts';
import type { WireReply } from './bulk/wire.ts';
import {
  httpFault,
  isCertificateCode,
  isNotConnected,
  networkFault,
  readErrorBody,
  retryAfterSeconds,
  UNREACHABLE,
} from './faults.ts';
import type { ModelAccess } from './providers/provider.ts';
import { refusedField } from './refused-field.ts';
import { withoutKeys } from './without-keys.ts';

/** What an error message may mention, and what it must not. */
export interface CallContext
  extends Pick<ModelAccess, 'keyVariables' | 'secrets'>,
    Pick<Destination, 'provider' | 'host'> {
  /** The model as the user names it. */
  readonly model: string;
  readonly timeoutSeconds: number;
  /** False where the key is withheld from the address. Default: true. */
  readonly sendsKey?: boolean;
  /** Removes quotes of the question from a text. Default: none are removed. */
  readonly withoutQuotes?: (text: string) => string;
}

/** A reply over HTTP that is no answer: of an error's status, or not of the expected form. It has the fields of the SDKs' own error. */
export class HttpReplyError extends Error {
  override readonly name = 'HttpReplyError';
  readonly statusCode: number;
  readonly responseBody: string;
  readonly responseHeaders: Readonly<Record<string, string>> | undefined;

  /** `cause` says what is wrong with the form. */
  constructor({ status, body, headers }: WireReply, cause?: unknown) {
    super('', { cause });
    this.statusCode = status;
    this.responseBody = body;
    this.responseHeaders = headers;
  }
}

type HttpReply = Pick<HttpReplyError, 'statusCode' | 'responseHeaders'> & {
  readonly responseBody?: string | undefined;
};

/** Also for an SDK's error, known by its name: loading the class takes longer than a short command. */
function isHttpReply(thrown: unknown): thrown is HttpReply {
  const { name, statusCode } = (thrown ?? {}) as { name?: unknown; statusCode?: unknown };
  return (name === 'HttpReplyError' || name === 'AI_APICallError') && typeof statusCode === 'number';
}

/**
 * An error of a call as a fault and one line that says what to do. The original is not kept as the cause: it contains the request, with patient data in its body and the key in its headers.
 */
export function toBackendError(thrown: unknown, context: CallContext): BackendError {
  if (thrown instanceof BackendError) return thrown;
  if (isHttpReply(thrown)) return httpError(thrown, thrown.statusCode, context);
  const found = networkFault(thrown);
  if (found !== null) return noReply(found.fault, found.code, context);
  const { name, message } = thrown instanceof Error ? thrown : new Error(String(thrown));
  if (refusedField(thrown) !== null) return unreadable(thrown, null, null, context);
  const named = NAMED.find(([pattern]) => pattern.test(name))?.[1];
  return describe(named ?? (CREDENTIALS.test(message) ? 'auth' : 'network'), null, message, context);
}

/** Errors of the SDKs themselves, by name. */
const NAMED: readonly (readonly [name: RegExp, fault: Fault])[] = [
  [
    /^AI_(InvalidResponseData|TypeValidation|JSONParse|EmptyResponseBody|NoContentGenerated)Error$/,
    'malformed',
  ],
  // Mistakes in an SDK's code are met by replies that it does not expect; a connection that fails has a code.
  [/^(TypeError|RangeError|SyntaxError)$/, 'malformed'],
  [/^AI_Load(APIKey|Setting)Error$/, 'auth'],
  [/^AI_(UnsupportedFunctionality|InvalidArgument|InvalidPrompt)Error$/, 'bad_request'],
];

/** Messages of Google's library when there is no login, or an expired one. */
const CREDENTIALS = /default credentials|invalid_grant|invalid_rapt|reauth/i;

function httpError(error: HttpReply, statusCode: number, context: CallContext): BackendError {
  const text = error.responseBody ?? '';
  const body = readErrorBody(text);
  if (statusCode < 300 && body.status === null) return unreadable(error, statusCode, text, context);
  // Gateways wrap a provider's error in a reply of status 200.
  const status = statusCode < 300 ? body.status! : statusCode;
  const message = context.withoutQuotes?.(body.message) ?? body.message;
  const fault = httpFault(status, `${body.codes} ${message}`);
  const retryAfter = retryAfterSeconds(error.responseHeaders, body.retryDelay);
  return describe(fault, status, body.message, context, {
    retryAfterSeconds: retryAfter,
    unbilled: isTurnedAway(status),
  });
}

/** Whether a server that answers so has not begun to work: it refuses the request, or has no capacity for it. After other failures of the server the model may have written its reply. */
function isTurnedAway(status: number): boolean {
  return (status >= 400 && status < 500) || status === 503 || status === 529;
}

/** A reply that the SDK cannot make sense of, with the field it stumbled over and the reply's body. */
function unreadable(
  thrown: unknown,
  status: number | null,
  body: string | null,
  context: CallContext,
): BackendError {
  const rawResponse = body === null || body === '' ? null : keptBody(body, context);
  const explain = (said: string, more: Parameters<typeof describe>[4] = {}) =>
    describe('malformed', status, said, context, { ...more, rawResponse });
  if (body !== null && isPage(body, isHttpReply(thrown) ? thrown.responseHeaders : undefined))
    return explain(A_PAGE, { problem: 'web_page' });
  const field = refusedField(thrown);
  if (field !== null) return explain(field.text, { problem: 'unexpected_field', closed: field.closed });
  if (body !== null && !isJson(body)) return explain(NO_JSON, { problem: 'not_json', closed: NO_JSON });
  return explain('');
}

const NO_JSON = 'it is not JSON';

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** More of a body than this shows nothing new. */
const MAX_BODY = 20_000;
/** Processed beyond the cut, so that no half of a removed part is left there. */
const MARGIN = 4000;

/** The body of a reply in a form that can be stored: cut, without keys and without quotes of the question. */
function keptBody(body: string, { secrets, withoutQuotes }: CallContext): string {
  const read = body.slice(0, MAX_BODY + MARGIN);
  const clean = withoutKeys(withoutQuotes?.(read) ?? read, secrets);
  return body.length <= MAX_BODY
    ? clean
    : `${clean.slice(0, MAX_BODY)}… [cut: the reply has ${body.length} characters]`;
}

const A_PAGE = 'received a web page instead; is the base URL right, or is a proxy in between?';

function isPage(text: string, headers: Readonly<Record<string, string>> | undefined): boolean {
  return text.trimStart().startsWith('<') || (headers?.['content-type']?.includes('html') ?? false);
}

function noReply(fault: Fault, code: string, context: CallContext): BackendError {
  const { model, provider, host, timeoutSeconds } = context;
  if (fault === 'malformed')
    return describe(fault, null, 'the reply is larger than any answer can be', context);
  if (fault === 'timeout')
    return ownError(
      fault,
      `${model}: no reply from ${host} within ${timeoutSeconds} seconds (${code}); a larger timeoutSeconds allows more time`,
      { unbilled: isNotConnected(code) },
    );
  const words = BROKEN.test(code) ? `the connection to ${host} was interrupted` : `cannot reach ${host}`;
  return ownError(fault, `${model}: ${words} (${code})${hintFor(code, provider)}`, {
    unbilled: isNotConnected(code),
    ...(UNREACHABLE.test(code) && { problem: 'not_connected' }),
  });
}

const BROKEN = /^(ECONNRESET|EPIPE|UND_ERR_SOCKET|HPE_\w+)$/;

function hintFor(code: string, provider: string): string {
  if (isCertificateCode(code))
    return '; if a proxy signs with its own certificate, set NODE_EXTRA_CA_CERTS to it';
  if (code === 'UND_ERR_ABORTED') return '; the proxy in HTTPS_PROXY or HTTP_PROXY refused the call';
  return code === 'ECONNREFUSED' && provider === 'ollama'
    ? '; is it running? start it with: ollama serve'
    : '';
}

function describe(
  fault: Fault,
  status: number | null,
  said: string,
  context: CallContext,
  {
    closed,
    ...options
  }: Partial<Pick<BackendError, 'retryAfterSeconds' | 'unbilled' | 'problem' | 'rawResponse'>> & {
    /** What may be said about protected records, too. Default: nothing of what was said. */
    readonly closed?: string | null;
  } = {},
): BackendError {
  const { model, secrets, withoutQuotes } = context;
  const message = providerMessage(said, secrets, withoutQuotes);
  const words = `${wordsFor(fault, status, message, context)}${status === null ? '' : ` (HTTP ${status})`}`;
  const summary = `${model}: ${words}`;
  return ownError(fault, message === '' ? summary : `${summary}: ${message}`, {
    ...options,
    status,
    summary: closed ? `${summary}: ${closed}` : summary,
  });
}

function wordsFor(fault: Fault, status: number | null, message: string, context: CallContext): string {
  if (fault === 'auth') {
    if (context.sendsKey === false) return 'not allowed; no key is sent to this address';
    const variables = context.keyVariables.join(' or ');
    return variables === '' ? 'not allowed' : `not allowed; check ${variables}`;
  }
  if (fault === 'unknown_model' && context.provider === 'ollama')
    return `no such model; fetch it with: ollama pull ${context.model.slice(context.model.indexOf('/') + 1)}`;
  if (fault === 'bad_request' && status !== null && status >= 300 && status < 400)
    return `${context.host} redirects calls, which is not followed; set the right base URL`;
  if (fault === 'bad_request' && /response_?format|json_?schema|structured output/i.test(message))
    return 'the request was not accepted; turning structuredOutput off may help';
  if (fault === 'bad_request' && /max_?(completion_|output_)?tokens/i.test(message))
    return 'the request was not accepted; lower maxOutputTokens or the batch size';
  return WORDS[fault] ?? 'the call failed';
}

const WORDS: Partial<Record<Fault, string>> = {
  unknown_model: 'no such model or address',
  quota: 'no quota left; the account needs credit or a higher limit',
  rate_limit: 'too many requests',
  overloaded: 'overloaded or unavailable',
  server: 'the server failed',
  timeout: 'the server timed out',
  too_long: 'the question is too long; lower the batch size or maxOutputTokens',
  refused: 'the question was refused',
  bad_request: 'the request was not accepted',
  malformed: 'the reply could not be read',
};

const MAX_MESSAGE = 300;
/** Only this much of a long text is processed; it exceeds `MAX_MESSAGE` so that no half of a removed part is left at the cut. */
const MAX_READ = 4000;

/**
 * A provider's message in a form that can be stored, shown and compared: one short line without keys, control characters, or ids that change with every request.
 */
export function providerMessage(
  text: string,
  secrets: readonly string[],
  withoutQuotes: (text: string) => string = (same) => same,
): string {
  const message = withoutKeys(withoutQuotes(text.slice(0, MAX_READ)), secrets)
    .replace(KEYS, '[key]')
    .replace(IDS, '[id]')
    .replace(TIMES, '[time]')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is to be removed
    .replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\s]+/g, ' ')
    .trim();
  return message.length > MAX_MESSAGE ? `${message.slice(0, MAX_MESSAGE - 1).trimEnd()}…` : message;
}

/** Keys as providers write them, also partly masked: `sk-ab***yz`, `AIza...`, `Bearer ...`. */
const KEYS =
  /\b(sk|xai|gsk)-[\w*.-]{4,}|\bAIza[\w*-]{8,}|\bya29\.[\w.-]+|\bAKIA[A-Z0-9]{12,}|\bBearer\s+[\w.~+/=-]+/g;
/** Request ids: by their prefix, as UUIDs, and long words of letters and digits mixed. */
const IDS =
  /\b(req|request|chatcmpl|resp|gen|msg)[_-][A-Za-z0-9_-]{6,}|\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|\b(?=[A-Za-z]*\d)(?=\d*[A-Za-z])[A-Za-z0-9]{16,}\b/gi;
const TIMES = /\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?/g;
