import { parseHTML } from 'linkedom';
import { describe, expect, it } from 'vitest';
import { decisionCurveChart } from './decision-curve.ts';

const { document } = parseHTML('<!doctype html><html></html>');
const points = Array.from({ length: 99 }, (_, i) => {
  const threshold = (i + 1) / 100;
  const odds = threshold / (1 - threshold);
  return { threshold, net_benefit: 0.4 - 0.02 * odds, treat_all: 0.5 - 0.5 * odds, treat_none: 0 as const };
});

describe('decisionCurveChart', () => {
  const svg = decisionCurveChart({ name: 'demo', points }, document);

  it('names the model and the two policies, and has the numbers in words', () => {
    for (const name of ['demo', 'treat all', 'treat none']) expect(svg).toContain(`>${name}</text>`);
    expect(svg).toContain('0.380 at threshold 0.50 (treat all: 0.000)');
    expect(svg).toContain('Treat none: 0 throughout.');
  });

  it('leaves out what lies far below zero, where treating all falls without end', () => {
    const paths = [...parseHTML(`<html><body>${svg}</body></html>`).document.querySelectorAll('path')];
    const heights = paths.flatMap((path) => [
      ...(path.getAttribute('d') ?? '').matchAll(/[ML][\d.]+,([\d.]+)/g),
    ]);
    const height = Number(/viewBox="0 0 \d+ (\d+)"/.exec(svg)![1]);
    for (const [, y] of heights) expect(Number(y)).toBeLessThanOrEqual(height);
  });
});
