import { expect, it } from 'vitest';
import { markdownText } from './markdown.ts';

it.each([
  ['plain words, 0.9 (x)', 'plain words, 0.9 (x)'],
  ['a\nb\t c', 'a b c'],
  ['|', '\\|'],
  ['\\|', '\\\\\\|'],
  ['_a_ *b* `c` ~d~ #e $f$', '\\_a\\_ \\*b\\* \\`c\\` \\~d\\~ \\#e \\$f\\$'],
  ['<b>&lt;', '\\<b\\>&amp;lt;'],
  ['\u001b[31mred', 'red'],
])('%j', (text, expected) => {
  expect(markdownText(text)).toBe(expected);
});
