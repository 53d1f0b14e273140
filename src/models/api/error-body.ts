/** What the body of an error says, whichever provider it is from. */
export interface ErrorBody {
  /** In the provider's words; empty where it has none. */
  readonly message: string;
  /** Codes, types and reasons, in one text. Nothing that quotes the request. */
  readonly codes: string;
  /** Google's delay before the next try: `"17s"`. */
  readonly retryDelay: string | null;
  /** The status of an error that came in a reply of status 200, as gateways do it. */
  readonly status: number | null;
}

/** Reads an error body: JSON in one of the forms in use, or plain text. Of a web page nothing is kept. */
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
    // OpenRouter's word that it let a filter look at the question first.
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

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
