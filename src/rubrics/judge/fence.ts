import { contentHash } from '../../core/index.ts';

/**
 * A code for the lines around the texts of others, which no such text can hold: it is a hash of those very texts, so whoever writes one cannot know the code beforehand,
 * and one that holds it by chance gets another. The same texts get the same code.
 *
 * @example
 * ```ts
 * fenceCode(['What is CKD?', 'A disease.']).length // => 16
 * fenceCode(['a']) === fenceCode(['b']) // => false
 * ```
 */
export function fenceCode(texts: readonly string[], length = 16): string {
  const held = texts.map((text) => text.toLowerCase());
  for (let round = 0; ; round++) {
    const code = contentHash([round, ...texts]).slice(0, length);
    if (!held.some((text) => text.includes(code))) return code;
  }
}
