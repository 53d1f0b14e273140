import * as Plot from '@observablehq/plot';
import { parseHTML } from 'linkedom';
import { describe, expect, it } from 'vitest';
import { svgChart } from './svg-chart.ts';

const { document } = parseHTML('<!doctype html><html></html>');
const text = { title: 'A title', description: 'One half.' };
const line = () => ({
  ...text,
  marks: [
    Plot.line([
      [0, 0.123456],
      [1, 0.7],
    ]),
  ],
});

describe('svgChart', () => {
  it('is an image with a title and the numbers in words', () => {
    const svg = svgChart(document, line());
    expect(svg).toMatch(/^<svg [^>]*role="img"[^>]*><title>A title<\/title><desc>One half\.<\/desc>/);
  });

  it('brings no style, no ids and no names of parts', () => {
    expect(svgChart(document, line())).not.toMatch(/<style| style=| id=|url\(|aria-label|aria-hidden/);
  });

  it('is the same however often it is drawn, and whatever was drawn before', () => {
    const first = svgChart(document, line());
    Plot.plot({ document, marks: [Plot.line([[0, 1]], { marker: 'circle', clip: true })] });
    expect(svgChart(parseHTML('<html></html>').document, line())).toBe(first);
  });

  it('rounds coordinates to hundredths, and nothing else', () => {
    const svg = svgChart(document, {
      ...text,
      marks: [Plot.text(['0.123456'], { frameAnchor: 'middle' }), ...line().marks],
    });
    expect(svg).toContain('>0.123456<');
    expect(svg.match(/ d="[^"]*"/g)!.join()).not.toMatch(/\.\d{3}/);
  });

  it('lets no text become markup', () => {
    const evil = '</svg><script>alert("1")</script>&';
    const svg = svgChart(document, {
      title: evil,
      description: evil,
      marks: [Plot.text([evil], { frameAnchor: 'middle' })],
    });
    expect(svg).not.toContain('<script');
    expect(svg.match(/<\/svg>/g)).toHaveLength(1);
  });
});
