import { describe, expect, it } from 'vitest';
import { htmlOf } from '../../test/section-fixture.ts';
import { valueText } from './value-text.ts';

const textOf = (value: unknown) =>
  htmlOf([{ kind: 'paragraph', text: valueText(value) }]).replace(/^<p>|<\/p>$/g, '');

describe('valueText', () => {
  it('prints short pairs in a row', () => {
    expect(textOf({ must_defer: 3, other: [1, 2] })).toBe('must defer: 3, other: 1, 2');
    expect(textOf({})).toBe('none');
    expect(textOf([])).toBe('none');
    expect(textOf(null)).toBe('null');
  });

  it('gives long values and nested pairs lines of their own', () => {
    expect(textOf({ a: 'x'.repeat(31), b: { c: 1 } })).toBe(
      `<span class="muted">a:</span> ${'x'.repeat(31)}<br><span class="muted">b:</span> c: 1`,
    );
  });

  it('cuts long values, and says so', () => {
    expect(textOf('x'.repeat(2100))).toContain('(cut here: 100 more characters are in the run file)');
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`k${i}`, 'y'.repeat(40)]));
    expect(textOf(many)).toContain('10 more are in the run file');
  });
});
