/** What a reply says of the tokens it took. */
export type ReportedUsage =
  | 'missing'
  | 'zero'
  | 'negative'
  | 'absurd'
  | 'one'
  | 'a thousandth'
  | 'a 24th'
  | 'half';

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

const UNTRUE: Readonly<Record<Exclude<ReportedUsage, 'missing'>, (tokens: number) => number>> = {
  zero: () => 0,
  negative: (tokens) => -tokens,
  absurd: (tokens) => tokens * 1e9,
  one: () => 1,
  'a thousandth': () => 0.001,
  'a 24th': (tokens) => Math.ceil(tokens / 24),
  half: (tokens) => Math.ceil(tokens / 2),
};

function changed(value: unknown, reported: Exclude<ReportedUsage, 'missing'>): unknown {
  if (typeof value === 'number') return UNTRUE[reported](value);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, changed(part, reported)]));
}
