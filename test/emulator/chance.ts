import { hash } from 'node:crypto';

export function digest(text: string): string {
  return hash('sha1', text);
}

/** A number in [0, 1) that is always the same for the same words; different purposes are independent. */
export function chance(purpose: string, about: string): number {
  return Number.parseInt(digest(`${purpose}\n${about}`).slice(0, 8), 16) / 2 ** 32;
}

/** One of these, always the same one for the same words. */
export function pick<T>(from: readonly T[], purpose: string, about: string): T {
  const chosen = from[Math.floor(chance(`${purpose} of ${from.length}`, about) * from.length)];
  if (chosen === undefined) throw new Error(`${purpose}: there is nothing to choose from`);
  return chosen;
}
