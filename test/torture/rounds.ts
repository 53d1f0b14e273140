/** How much harder than usual this is tried: 1 in `npm test`, more in `npm run torture`. */
const factor = Math.max(1, Number(process.env.KRISIS_TORTURE ?? 1));

/** How often something is tried. */
export function rounds(usual: number): number {
  return Math.round(usual * factor);
}

/** Minutes that a test may take, where it takes longer the more is tried. */
export function minutes(usual: number): number {
  return usual * 60_000 * factor;
}
