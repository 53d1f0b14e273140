import { parseHTML } from 'linkedom';
import { describe, expect, it } from 'vitest';
import { confidenceHistogram } from './confidence-histogram.ts';

const { document } = parseHTML('<!doctype html><html></html>');

describe('confidenceHistogram', () => {
  it('has a bar for the right and one for the wrong answers of a step, and no bar for none', () => {
    const svg = confidenceHistogram(
      [
        { low: 0.8, high: 0.85, right: 1200, wrong: 4 },
        { low: 0.85, high: 0.9, right: 0, wrong: 2 },
      ],
      document,
    );
    expect(svg.match(/<rect/g)).toHaveLength(3);
    expect(svg).toContain('<desc>0.80 to 0.85: 1,200 right, 4 wrong; 0.85 to 0.90: 0 right, 2 wrong.</desc>');
  });

  it('says so when there is nothing to draw', () => {
    const svg = confidenceHistogram([{ low: 0, high: 0.05, right: 0, wrong: 0 }], document);
    expect(svg).toContain('<desc>No answer has a usable confidence.</desc>');
    expect(svg).not.toContain('NaN');
  });
});
