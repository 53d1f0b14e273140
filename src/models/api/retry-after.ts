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
