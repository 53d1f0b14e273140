/** The content of an error body, in one form for all providers. */
export interface ErrorBody {
  /** The provider's message; empty where there is none. */
  readonly message: string;
  /** Codes, types and reasons in one text; never anything that quotes the request. */
  readonly codes: string;
  /** Google's delay before the next attempt: `"17s"`. */
  readonly retryDelay: string | null;
  /** The status of an error that a gateway sent in a reply of status 200. */
  readonly status: number | null;
}

/** Reads an error body: JSON in one of the providers' forms, or plain text. A web page is ignored. */
export function readErrorBody(text: string): ErrorBody {
  const nothing = { message: '', codes: '', retryDelay: null, status: null };
  if (text.trim() === '' || text.trimStart().startsWith('<')) return nothing;
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return { ...nothing, message: text };
  }
  // OpenAI, Anthropic and Google: { error: {...} }; xAI: { code, error: text }; Bedrock: { message }; FastAPI: { detail }.
  const outer = fieldsOf(Array.isArray(body) ? body[0] : body);
  const error = fieldsOf(outer.error);
  const metadata = fieldsOf(error.metadata);
  const details = listOf(error.details).map(fieldsOf);
  const violations = details.flatMap((detail) => listOf(detail.violations)).map(fieldsOf);
  const message = [
    error.message,
    outer.error,
    outer.message,
    outer.detail,
    fieldsOf(listOf(outer.detail)[0]).msg,
  ];
  const codes = [
    ...[error.code, error.type, error.status, outer.code, outer.type, outer.__type],
    ...[fieldsOf(error.innererror).code, fieldsOf(error.inner_error).code],
    ...details.map(({ reason }) => reason),
    ...violations.map(({ quotaId }) => quotaId),
    // OpenRouter's sign that a filter stopped the question.
    'flagged_input' in metadata ? 'flagged_input' : null,
  ];
  const delay = details.map(({ retryDelay }) => retryDelay).find((value) => typeof value === 'string');
  const status = Number(error.code);
  return {
    message: message.find((value) => typeof value === 'string') ?? '',
    codes: codes.filter((code) => typeof code === 'string' || typeof code === 'number').join(' '),
    retryDelay: delay ?? null,
    status: Number.isInteger(status) && status >= 400 && status <= 599 ? status : null,
  };
}

/** The fields of an object; none of anything else. */
export function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
