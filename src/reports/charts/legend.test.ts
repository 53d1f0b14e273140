import { describe, expect, it } from 'vitest';
import { legendHeight, shortened } from './legend.ts';

describe('legend', () => {
  it('grows by the line', () => {
    const entry = { name: 'a', color: 'red' };
    expect(legendHeight([entry, entry]) - legendHeight([entry])).toBe(18);
  });

  it('cuts a long name by characters, not by halves of them', () => {
    expect(shortened('short', 10)).toBe('short');
    expect(shortened('a'.repeat(11), 10)).toBe(`${'a'.repeat(9)}…`);
    expect(shortened('😀'.repeat(5), 3)).toBe('😀😀…');
  });
});
