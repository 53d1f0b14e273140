import { logFactorial } from '../src/statistics/special-functions.ts';

/** Outcomes less likely than this, all together, are left out. */
const NEGLIGIBLE = 1e-12;

/** The expectation of a function of x ~ Binomial(n, p). */
export function expectedOverSuccesses(n: number, p: number, of: (successes: number) => number): number {
  let sum = 0;
  for (let x = 0; x <= n; x++) {
    const probability = binomial(x, n, p);
    if (probability > NEGLIGIBLE) sum += probability * of(x);
  }
  return sum;
}

/** The expectation of a function of discordant pairs: b only the first is right, c only the second, with `difference` = (E b - E c) / n. */
export function expectedOverPairs(
  {
    n,
    discordant,
    difference,
  }: { readonly n: number; readonly discordant: number; readonly difference: number },
  of: (b: number, c: number) => number,
): number {
  const shareOfFirst = (discordant + difference) / 2 / discordant;
  return expectedOverSuccesses(n, discordant, (m) =>
    expectedOverSuccesses(m, shareOfFirst, (b) => of(b, m - b)),
  );
}

function binomial(x: number, n: number, p: number): number {
  if (p <= 0 || p >= 1) return Number(x === (p <= 0 ? 0 : n));
  const choose = logFactorial(n) - logFactorial(x) - logFactorial(n - x);
  return Math.exp(choose + x * Math.log(p) + (n - x) * Math.log1p(-p));
}
