/** What a reply says of the tokens it took. */
export type ReportedUsage = 'missing' | 'zero' | 'negative' | 'absurd';

const KEYS = ['usage', 'usageMetadata'];

/** The body of a reply with its report of tokens left out or made untrue. */
export function withUsage(body: object, reported: ReportedUsage | undefined): object {
  if (reported === undefined) return body;
  const entries = Object.entries(body).flatMap(([key, value]) => {
    if (!KEYS.includes(key)) return [[key, value]];
    return reported === 'missing' ? [] : [[key, changed(value, reported)]];
  });
  return Object.fromEntries(entries);
}

function changed(value: unknown, reported: Exclude<ReportedUsage, 'missing'>): unknown {
  if (typeof value === 'number')
    return reported === 'zero' ? 0 : reported === 'negative' ? -value : value * 1e9;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, changed(part, reported)]));
}
