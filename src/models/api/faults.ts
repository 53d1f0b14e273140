import type { Fault } from '../../core/fault.ts';

/**
 * The fault of an HTTP error, from its status and from codes and words in its body. The first matching rule decides; providers agree on little, so the rules name what each of them
 * does.
 */
export function httpFault(status: number, said: string): Fault {
  const rule = RULES.find(
    ([statuses, words]) => (statuses?.includes(status) ?? true) && (words?.test(said) ?? true),
  );
  return rule?.[2] ?? (status >= 500 ? 'server' : 'bad_request');
}

/** Null stands for any status, or for any words. */
const RULES: readonly (readonly [statuses: readonly number[] | null, words: RegExp | null, fault: Fault])[] =
  [
    // Filters: Azure and OpenAI answer 400, OpenRouter and xAI 403.
    [
      [400, 403, 422],
      /content_filter|content_policy|content management policy|ResponsibleAI|moderation|flagged_input|SAFETY_CHECK|violates? .{0,20}(usage|content)/i,
      'refused',
    ],
    // OpenAI 429, Anthropic 400, xAI 403 and 429. Google also says "exceeded your current quota" for a limit per minute: only the name of the limit differs.
    [[402], null, 'quota'],
    [
      [400, 403, 429],
      /insufficient_quota|billing_(hard_limit|not_active)|credit balance|available credits|any credits|insufficient (credits|balance|funds)|spending limit|API usage limits|[a-z]PerDay|limit: 0\b|too many tokens per day/i,
      'quota',
    ],
    // A question larger than the limit per minute: waiting does not help.
    [[429], /request too large/i, 'too_long'],
    [[429], null, 'rate_limit'],
    [
      [400, 403, 422],
      /model_not_found|(invalid|unknown)[_ ]model|not a valid model|model identifier is invalid|DeploymentNotFound|model\b.{0,80}\b(does not exist|not found)/i,
      'unknown_model',
    ],
    [[404, 410], null, 'unknown_model'],
    // Google and xAI answer a wrong key with 400.
    [[401, 403], null, 'auth'],
    [
      [400],
      /API_KEY_INVALID|api[ _-]?key (is )?(not valid|invalid|expired|missing)|(incorrect|invalid|expired|missing) (x-)?api[ _-]?key|UNAUTHENTICATED/i,
      'auth',
    ],
    [[413], null, 'too_long'],
    [
      // Ollama answers a question that does not fit with 500.
      [400, 422, 500],
      /context_length_exceeded|exceed_context|context (length|window|limit|size)|(prompt|input) is too long|input token count|maximum prompt length|string_above_max_length/i,
      'too_long',
    ],
    [[408], null, 'timeout'],
    [null, /overloaded_error/, 'overloaded'],
    [[502, 503, 504, 529], null, 'overloaded'],
    [[409, 424, 425], null, 'server'],
  ];

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
  return UNREACHABLE.test(code) || NOT_CONNECTED.test(code) || isCertificateCode(code);
}

/** Nothing answers at the address. */
export const UNREACHABLE = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/;
const NOT_CONNECTED = /^UND_ERR_(CONNECT_TIMEOUT|ABORTED)$/;
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

/**
 * How long a server asks to wait; null where it does not say. Read from `retry-after-ms`, `retry-after` (seconds or a date), or Google's delay in the body.
 */
export function retryAfterSeconds(
  headers: Readonly<Record<string, string>> | undefined,
  /** As in `"17s"`. */
  retryDelay: string | null = null,
  now: number = Date.now(),
): number | null {
  const milliseconds = decimal(headers?.['retry-after-ms']);
  if (milliseconds !== null) return milliseconds / 1000;
  const header = headers?.['retry-after']?.trim();
  const seconds = decimal(header);
  if (seconds !== null) return seconds;
  const until = header !== undefined && HTTP_DATE.test(header) ? Date.parse(header) : Number.NaN;
  if (!Number.isNaN(until)) return Math.max(0, (until - now) / 1000);
  return decimal(/^(.*)s$/.exec(retryDelay ?? '')?.[1]);
}

/** `Date.parse` alone accepts almost anything as a date, even `-1`. */
const HTTP_DATE = /^[A-Z][a-z]+,? .*\d{4}.* GMT$|^[A-Z][a-z]{2} [A-Z][a-z]{2} .*\d{4}$|^[A-Z][a-z]+, \d{2}-/;

function decimal(text: string | undefined): number | null {
  return text !== undefined && /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) : null;
}

/** Reads an error body: JSON in one of the providers' forms, or plain text. A web page is ignored. */
export function readErrorBody(text: string) {
  const nothing = { message: '', codes: '', retryDelay: null, status: null };
  if (text.trim() === '' || text.trimStart().startsWith('<')) return nothing;
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return { ...nothing, message: text };
  }
  // OpenAI, Anthropic and Google: { error: {...} }; xAI: { code, error: text }; Bedrock: { message }; FastAPI: { detail }.
  const outer = fieldsIn(Array.isArray(body) ? body[0] : body);
  const error = fieldsIn(outer.error);
  const metadata = fieldsIn(error.metadata);
  const details = listIn(error.details);
  const violations = details.flatMap((detail) => listIn(detail.violations));
  const message = [error.message, outer.error, outer.message, outer.detail, listIn(outer.detail)[0]?.msg];
  const codes = [
    ...[error.code, error.type, error.status, outer.code, outer.type, outer.__type],
    ...[fieldsIn(error.innererror).code, fieldsIn(error.inner_error).code],
    ...details.map(({ reason }) => reason),
    ...violations.map(({ quotaId }) => quotaId),
    // OpenRouter's sign that a filter stopped the question.
    'flagged_input' in metadata ? 'flagged_input' : null,
  ];
  const delay = details.map(({ retryDelay }) => retryDelay).find((value) => typeof value === 'string');
  const status = Number(error.code);
  return {
    message: message.find((value) => typeof value === 'string') ?? '',
    /** Codes, types and reasons in one text; never anything that quotes the request. */
    codes: codes.filter((code) => typeof code === 'string' || typeof code === 'number').join(' '),
    /** Google's delay before the next attempt: `"17s"`. */
    retryDelay: delay ?? null,
    /** The status of an error that a gateway sent in a reply of status 200. */
    status: isErrorStatus(status) ? status : null,
  };
}

export function isErrorStatus(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 400 && Number(value) <= 599;
}

/** An object in a reply, in which nothing is certain. */
export type Json = Readonly<Record<string, unknown>>;

/** The fields of an object; none of anything else. */
export function fieldsIn(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {};
}

/** The objects of a list; none of anything else. */
export function listIn(value: unknown): Json[] {
  return Array.isArray(value) ? value.map(fieldsIn) : [];
}
