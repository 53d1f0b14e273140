import { parseHTML } from 'linkedom';
import { describe, expect, it } from 'vitest';
import type { ReliabilityBin } from '../../metrics/figures.ts';
import { reliabilityDiagram } from './reliability-diagram.ts';

const { document } = parseHTML('<!doctype html><html></html>');
const empty: ReliabilityBin = {
  low: 0,
  high: 0.5,
  count: 0,
  mean_confidence: null,
  accuracy: null,
  lower: null,
  upper: null,
};
const full: ReliabilityBin = {
  low: 0.5,
  high: 1,
  count: 31,
  mean_confidence: 0.8,
  accuracy: 0.75,
  lower: 0.6,
  upper: 0.86,
};
const parsed = (svg: string) => parseHTML(`<html><body>${svg}</body></html>`).document;

describe('reliabilityDiagram', () => {
  it('draws a dot with its interval for each step that has answers, and its count', () => {
    const page = parsed(
      reliabilityDiagram([{ name: 'a', figures: { reliability: [empty, full] } }], document),
    );
    expect(page.querySelector('desc')!.textContent).toBe(
      'a: confidence 0.800, right 0.750 (0.600 to 0.860), 31 cases.',
    );
    const texts = [...page.querySelectorAll('text')].map(({ textContent }) => textContent);
    expect(texts).toEqual(expect.arrayContaining(['a', '31', 'stated confidence', 'share right', 'answers']));
  });

  it('tells several series apart by name, dash and symbol, without the counts of one', () => {
    const series = ['one', 'two'].map((name) => ({ name, figures: { reliability: [full] } }));
    const svg = reliabilityDiagram(series, document);
    const texts = [...parsed(svg).querySelectorAll('text')].map(({ textContent }) => textContent);
    expect(texts).toEqual(expect.arrayContaining(['one', 'two']));
    expect(texts).not.toContain('31');
    expect(svg).toContain('stroke-dasharray="7 3"');
    expect(svg).toContain('var(--series-2');
  });

  it('says so when there is nothing to draw', () => {
    const svg = reliabilityDiagram([{ name: 'a', figures: { reliability: [empty] } }], document);
    expect(svg).toContain('<desc>a: no answer has a usable confidence.</desc>');
    expect(svg).not.toContain('NaN');
  });
});
