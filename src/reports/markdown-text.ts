import { plain } from '../core/plain-text.ts';

/**
 * Text for one line or one table cell of Markdown: all markup in it is escaped.
 *
 * @example
 * ```ts
 * markdownText('a|b <i> [x](y)') // => 'a\\|b \\<i\\> \\[x\\](y)'
 * ```
 */
export function markdownText(text: string): string {
  return plain(text.replace(/\s+/g, ' '))
    .replaceAll('&', '&amp;')
    .replace(/[\\|`*_[\]<>$~#]/g, '\\$&');
}
