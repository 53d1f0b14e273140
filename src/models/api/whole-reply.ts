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
