import { describe, expect, it } from 'vitest';
import { seriesStyle } from './series-style.ts';

describe('seriesStyle', () => {
  it('tells six series apart by each of colour, dash and symbol alone', () => {
    const styles = Array.from({ length: 6 }, (_, i) => seriesStyle(i));
    for (const part of ['color', 'dash', 'symbol'] as const)
      expect(new Set(styles.map((style) => style[part])).size).toBe(6);
  });

  it('gives no two of 24 series the same look', () => {
    const looks = Array.from({ length: 24 }, (_, i) => JSON.stringify(seriesStyle(i)));
    expect(new Set(looks).size).toBe(24);
  });
});
