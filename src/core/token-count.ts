/** More than any model takes in one call. */
const MAX_TOKENS = 1e9;

/** A number of tokens as a provider or backend reports it; null unless it is a whole number that a call can take. */
export function tokenCount(value: unknown): number | null {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= MAX_TOKENS ? Number(value) : null;
}
