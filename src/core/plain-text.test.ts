import { describe, expect, it } from 'vitest';
import { plain, plainLine } from './plain-text.ts';

describe('plain', () => {
  it('leaves ordinary text alone, in any script', () => {
    expect(plain('Ödem, 腎臓 (mL/min) "x"')).toBe('Ödem, 腎臓 (mL/min) "x"');
  });

  it.each([
    ['colours', '\u001b[31mred\u001b[0m', 'red'],
    ['moves of the cursor', 'a\u001b[2K\u001b[1Ab', 'ab'],
    ['links', '\u001b]8;;http://evil\u0007here\u001b]8;;\u0007', 'here'],
    ['the one-byte introducer', '\u009b31mred', 'red'],
    ['bells and backspaces', 'a\u0007\u0008b', 'a??b'],
    ['line breaks and tabs', 'a\r\nb\tc', 'a??b?c'],
    ['delete and C1', '\u007f\u0085', '??'],
    ['marks that reverse or hide text', 'a\u202eb\u2066c\u200bd\u2028e\ufefff', 'a?b?c?d?e?f'],
  ])('takes out %s', (_, text, expected) => {
    expect(plain(text)).toBe(expected);
  });

  it('leaves no control character, whatever comes', () => {
    const every = Array.from({ length: 0x100 }, (_, code) => String.fromCharCode(code)).join('x');
    expect(plain(every)).not.toMatch(/\p{Cc}/u);
  });
});

describe('plainLine', () => {
  it('cuts a text to its length, never inside a character', () => {
    expect(plainLine('a'.repeat(10), 10)).toBe('a'.repeat(10));
    expect(plainLine('a'.repeat(11), 10)).toBe(`${'a'.repeat(9)}…`);
    expect(plainLine('😀'.repeat(11), 10).isWellFormed()).toBe(true);
    expect(plainLine('x'.repeat(10_000_000), 300)).toHaveLength(300);
  });
});
