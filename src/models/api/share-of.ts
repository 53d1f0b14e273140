/** The share of row `i` of `n` in whole tokens, as even as whole numbers go: the shares add up to what there was. */
export function shareOf(tokens: number | null, i: number, n: number): number | null {
  return tokens === null ? null : Math.floor(((i + 1) * tokens) / n) - Math.floor((i * tokens) / n);
}
