/** What a provider says, of which nothing is certain. */
export type Json = Readonly<Record<string, unknown>>;

export function object(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {};
}

export function text(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** Some providers write counts as strings. */
export function count(value: unknown): number | null {
  const number = typeof value === 'string' && value !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}

export function list(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.map(object) : [];
}
