import { withoutKeys } from './without-keys.ts';

const LONGEST = 300;
/** Only this much of a long text is processed; it exceeds `LONGEST` so that no half of a removed part is left at the cut. */
const LOOKED_AT = 4000;

/**
 * A provider's message in a form that can be stored, shown and compared: one short line without keys, control characters, or ids that change with every request.
 */
export function providerMessage(
  text: string,
  secrets: readonly string[],
  withoutQuotes: (text: string) => string = (same) => same,
): string {
  const message = withoutKeys(withoutQuotes(text.slice(0, LOOKED_AT)), secrets)
    .replace(KEYS, '[key]')
    .replace(IDS, '[id]')
    .replace(TIMES, '[time]')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is to be removed
    .replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\s]+/g, ' ')
    .trim();
  return message.length > LONGEST ? `${message.slice(0, LONGEST - 1).trimEnd()}…` : message;
}

/** Keys as providers write them, also partly masked: `sk-ab***yz`, `AIza...`, `Bearer ...`. */
const KEYS =
  /\b(sk|xai|gsk)-[\w*.-]{4,}|\bAIza[\w*-]{8,}|\bya29\.[\w.-]+|\bAKIA[A-Z0-9]{12,}|\bBearer\s+[\w.~+/=-]+/g;
/** Request ids: by their prefix, as UUIDs, and long words of letters and digits mixed. */
const IDS =
  /\b(req|request|chatcmpl|resp|gen|msg)[_-][A-Za-z0-9_-]{6,}|\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|\b(?=[A-Za-z]*\d)(?=\d*[A-Za-z])[A-Za-z0-9]{16,}\b/gi;
const TIMES = /\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?/g;
