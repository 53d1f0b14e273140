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
  return reply as unknown as Response;
}

function readerOf(body: Uint8Array) {
  let isRead = body.length === 0;
  return {
    read: async () => {
      if (isRead) return { done: true, value: undefined };
      isRead = true;
      return { done: false, value: body };
    },
    cancel: async () => {},
    releaseLock: () => {},
  };
}
