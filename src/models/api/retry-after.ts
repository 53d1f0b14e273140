/**
 * How long a server asks to wait, however long that is; null where it does not say. Read from `retry-after-ms`, `retry-after` (seconds, or the date until when) or, as Google has it,
 * a delay in the body.
 */
export function retryAfterSeconds(
  headers: Readonly<Record<string, string>> | undefined,
  /** As in `"17s"`. */
  retryDelay: string | null = null,
  now: number = Date.now(),
): number | null {
  const milliseconds = decimal(headers?.['retry-after-ms']);
  if (milliseconds !== null) return milliseconds / 1000;
  const told = headers?.['retry-after']?.trim();
  const seconds = decimal(told);
  if (seconds !== null) return seconds;
  const until = told !== undefined && HTTP_DATE.test(told) ? Date.parse(told) : Number.NaN;
  if (!Number.isNaN(until)) return Math.max(0, (until - now) / 1000);
  return decimal(/^(.*)s$/.exec(retryDelay ?? '')?.[1]);
}

/** `Date.parse` alone makes a date of almost anything, `-1` included. */
const HTTP_DATE = /^[A-Z][a-z]+,? .*\d{4}.* GMT$|^[A-Z][a-z]{2} [A-Z][a-z]{2} .*\d{4}$|^[A-Z][a-z]+, \d{2}-/;

function decimal(text: string | undefined): number | null {
  return text !== undefined && /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) : null;
}
