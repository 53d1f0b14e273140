const FOLD = /[\s"'`*_“”‘’]+/g;

function fold(text: string): string {
  return text.normalize('NFC').toLowerCase().replace(FOLD, ' ').trim();
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** What may stand around a label that is an answer: brackets before it, and after it a mark or the end of the line. */
const BEFORE = '[ \\t]*[([{]?[ \\t]*';
const AFTER = '(?=[ \\t]*(?:[.,;:!)\\]}]|-[ \\t]|–|$))';

/**
 * Finds the label that a text of another tool's file states, by three rules in this order: the text is the label (white space, quotation marks and case aside); its first line begins with
 * the label and a mark of punctuation (`B) ...`, `(B)`, `yes, because`); or it says `answer is X` or `answer: X`, the last time that it says so. Never used for replies that Krisis asked for.
 *
 * @example
 * ```ts
 * const match = labelMatcher(['A', 'B', 'yes']);
 * [match('b '), match('(B) Aspirin'), match('So the answer is **A**.'), match('A patient may')] // => ['B', 'B', 'A', null]
 * ```
 */
export function labelMatcher(labels: readonly string[]): (text: string) => string | null {
  const byText = new Map(labels.map((label) => [fold(label), label]));
  const longestFirst = [...byText.keys()].filter((label) => label !== '').sort((a, b) => b.length - a.length);
  if (longestFirst.length === 0) return () => null;
  const any = `(${longestFirst.map(escapePattern).join('|')})`;
  const leading = new RegExp(`^${BEFORE}${any}${AFTER}`, 'm');
  const stated = new RegExp(
    `\\banswer(?: is|:| is:|=)${BEFORE}(?:option |choice )?${BEFORE}${any}${AFTER}`,
    'gm',
  );
  return (text) => {
    const folded = fold(text);
    const exact = byText.get(folded);
    if (exact !== undefined) return exact;
    const lines = text
      .split(/\r?\n/)
      .map(fold)
      .filter((line) => line !== '');
    const [, first] = leading.exec(lines[0] ?? '') ?? [];
    if (first !== undefined) return byText.get(first)!;
    const [, last] = [...lines.join('\n').matchAll(stated)].at(-1) ?? [];
    return last === undefined ? null : byText.get(last)!;
  };
}
