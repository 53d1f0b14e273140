/** The tokens of row `i` of `n`: as even as whole numbers allow, and the shares add up to the total. */
export function shareOf(tokens: number | null, i: number, n: number): number | null {
  return tokens === null ? null : Math.floor(((i + 1) * tokens) / n) - Math.floor((i * tokens) / n);
}
