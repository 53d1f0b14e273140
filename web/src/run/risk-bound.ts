/**
 * The upper end of a one-sided exact interval (Clopper and Pearson) of a share wrong: the largest p for which so few errors would still occur with probability 1 - level. 1 if all are
 * wrong or nothing is accepted. Found by bisection, so that the page needs no library of special functions.
 */
export function riskBound(errors: number, n: number, level = 0.95): number {
  if (n === 0 || errors >= n) return 1;
  let low = errors / n;
  let high = 1;
  for (let step = 0; step < 40; step++) {
    const middle = (low + high) / 2;
    if (atMost(errors, n, middle) > 1 - level) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** P(X <= errors) for X binomial with n and p, summed from the largest term down until terms no longer count. */
function atMost(errors: number, n: number, p: number): number {
  // The last term is the largest, as p is above errors / n; the ones before it follow from it.
  let term = Math.exp(logChoose(n, errors) + errors * Math.log(p) + (n - errors) * Math.log1p(-p));
  let sum = 0;
  for (let k = errors; k >= 0; k--) {
    sum += term;
    if (term < sum * 1e-15) break;
    term *= (k * (1 - p)) / ((n - k + 1) * p);
  }
  return sum;
}

function logChoose(n: number, k: number): number {
  let sum = 0;
  for (let i = 1; i <= k; i++) sum += Math.log((n - k + i) / i);
  return sum;
}
