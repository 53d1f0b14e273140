/** `body`: no header says it, as with Gemini, whose error has it in its details. */
export type RetryAfterForm = 'seconds' | 'ms' | 'date' | 'body';

export interface RetryAfter {
  readonly headers: Readonly<Record<string, string>>;
  /** The same for the body. */
  readonly seconds: number;
  /** The moment that follows from it, for whoever reads it at once. */
  readonly until: (sentAt: number) => number;
}

/** How a wait is announced; rounding makes it longer, never shorter. */
export function retryAfter(form: RetryAfterForm, seconds: number, now: number): RetryAfter {
  if (form === 'date') {
    const moment = Math.ceil((now + seconds * 1000) / 1000) * 1000;
    return {
      headers: { 'retry-after': new Date(moment).toUTCString() },
      seconds: Math.ceil(moment - now) / 1000,
      until: () => moment,
    };
  }
  const ms = form === 'ms' ? Math.ceil(seconds * 1000) : Math.ceil(seconds) * 1000;
  const headers: Record<typeof form, Record<string, string>> = {
    seconds: { 'retry-after': String(ms / 1000) },
    ms: { 'retry-after-ms': String(ms) },
    body: {},
  };
  return { headers: headers[form], seconds: ms / 1000, until: (sentAt) => sentAt + ms };
}
