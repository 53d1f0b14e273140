/**
 * A complete reply in the shape of a `Response`: the SDKs read replies through `body.getReader()`, and the streams of a real `Response` cost more than the request itself.
 */
export function wholeReply(
  status: number,
  headers: Readonly<Record<string, string>>,
  body: Uint8Array,
): Response {
  const text = () => new TextDecoder().decode(body);
  const reply = {
    status,
    ok: status >= 200 && status < 300,
    statusText: '',
    // Names are already lower-case, so a Map serves for Headers.
    headers: new Map(Object.entries(headers)),
    body: { getReader: () => readerOf(body), cancel: async () => {} },
    text: async () => text(),
    json: async () => JSON.parse(text()),
  };
  return Object.create(Response.prototype, Object.getOwnPropertyDescriptors(reply));
}

function readerOf(body: Uint8Array) {
  const chunks = body.length === 0 ? [] : [body];
  return {
    read: async () => ({ done: chunks.length === 0, value: chunks.pop() }),
    cancel: async () => {},
    releaseLock: () => {},
  };
}

/**
 * xAI's SDK refuses a reply whose reasoning has no `status`. OpenAI's description of this API makes it optional, and servers that follow that leave it out, so it is filled in. Expects replies that can be read twice, as those of
 * `poolFetch`.
 */
export function withReasoningStatus(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    const reply = await fetch(input, init);
    const filled = reply.ok ? fill(await reply.text()) : null;
    return filled === null
      ? reply
      : wholeReply(reply.status, Object.fromEntries(reply.headers), Buffer.from(filled));
  };
}

/** The body with the status filled in; null where none is missing. */
function fill(text: string): string | null {
  if (!text.includes('"reasoning"')) return null;
  let body: { readonly output?: unknown } | null;
  try {
    body = JSON.parse(text);
  } catch {
    return null;
  }
  if (!Array.isArray(body?.output)) return null;
  const isMissing = (item: { type?: unknown; status?: unknown } | null) =>
    item?.type === 'reasoning' && item.status == null;
  if (!body.output.some(isMissing)) return null;
  const output = body.output.map((item) => (isMissing(item) ? { ...item, status: 'completed' } : item));
  return JSON.stringify({ ...body, output });
}
