// The package ships its types where its own `exports` map hides them; these are the functions we use.
declare module 'cephes' {
  /** Resolves when the WebAssembly is ready; no function may be called before. */
  export const compiled: Promise<void>;
  /** Cumulative distribution function of the standard normal. */
  export function ndtr(x: number): number;
  /** Inverse of `ndtr`; throws outside (0, 1). */
  export function ndtri(p: number): number;
  /** Logarithm of the gamma function. */
  export function lgam(x: number): number;
  /** Regularized incomplete beta function I_x(a, b). */
  export function incbet(a: number, b: number, x: number): number;
  /** P(X > x) of the chi-squared distribution. */
  export function chdtrc(df: number, x: number): number;
  /** Inverse of the regularized incomplete beta function: the x with I_x(a, b) = y. */
  export function incbi(a: number, b: number, y: number): number;
}
