import { parseHTML } from 'linkedom';
import { describe, expect, it } from 'vitest';
import { confidenceHistogram } from './confidence-histogram.ts';
import { dotPlot } from './dot-plot.ts';
import { reliabilityDiagram } from './reliability-diagram.ts';
import { riskCoverageChart } from './risk-coverage.ts';

const { document } = parseHTML('<!doctype html><html></html>');
const linksOf = (svg: string) =>
  [...parseHTML(`<html><body>${svg}</body></html>`).document.querySelectorAll('a')].map((link) => ({
    href: link.getAttribute('href'),
    label: link.getAttribute('aria-label'),
    width: Number(link.querySelector('rect')!.getAttribute('width')),
  }));
const point = (coverage: number) => ({
  threshold: 1 - coverage,
  coverage,
  selective_risk: 0.1,
  generalized_risk: 0.1 * coverage,
});
const bin = (low: number, count: number) => ({
  low,
  high: low + 0.5,
  count,
  mean_confidence: count === 0 ? null : low + 0.2,
  accuracy: count === 0 ? null : 0.5,
  lower: null,
  upper: null,
});

describe('links', () => {
  it('lead from each full bin, and the chart is no image any more', () => {
    const bins = [bin(0, 0), bin(0.5, 7)];
    const svg = reliabilityDiagram([{ name: 'a', figures: { reliability: bins } }], document, ({ low }) => ({
      href: `#${low}`,
      label: `from ${low}`,
    }));
    expect(linksOf(svg)).toEqual([{ href: '#0.5', label: 'from 0.5', width: 160 }]);
    expect(svg).toMatch(/^<svg [^>]*role="group"/);
  });

  it('lead from right and wrong answers apart', () => {
    const steps = [{ low: 0.5, high: 0.55, right: 3, wrong: 1 }];
    const svg = confidenceHistogram(steps, document, (_, side) => ({ href: `#${side}`, label: side }));
    expect(linksOf(svg).map(({ href }) => href)).toEqual(['#right', '#wrong']);
  });

  it('lead from each group, also where two are named alike', () => {
    const dot = { group: 'x', value: 0.5, lower: null, upper: null };
    const dots = [0, 1].map((n) => ({ ...dot, n }));
    const svg = dotPlot({ title: 't', dots, overall: null }, document, ({ n }) => ({
      href: `#${n}`,
      label: 'group',
    }));
    expect(linksOf(svg).map(({ href }) => href)).toEqual(['#0', '#1']);
  });

  it('are few and wide enough on a curve of many points, and end with the last', () => {
    const points = Array.from({ length: 400 }, (_, i) => point((i + 1) / 400));
    const curve = { points, random: 0.1, oracle: [], nUsable: 400, emergencies: { n: 0, unanswered: 0 } };
    const svg = riskCoverageChart([{ name: 'a', figures: { riskCoverage: curve } }], document, {
      linkOf: ({ coverage }) => ({ href: `#${coverage}`, label: 'accepted' }),
    });
    const links = linksOf(svg);
    expect(links.length).toBeLessThanOrEqual(26);
    expect(links.at(-1)!.href).toBe('#1');
    expect(Math.min(...links.slice(0, -1).map(({ width }) => width))).toBeGreaterThan(12);
  });

  it('are not there when nobody asks, and escape what they say', () => {
    const steps = [{ low: 0.5, high: 0.55, right: 3, wrong: 1 }];
    expect(confidenceHistogram(steps, document)).not.toContain('<a');
    const evil = '"><script>alert(1)</script>';
    const svg = confidenceHistogram(steps, document, () => ({ href: '#', label: evil }));
    expect(parseHTML(`<html><body>${svg}</body></html>`).document.querySelector('script')).toBeNull();
    expect(linksOf(svg)[0]!.label).toBe(evil);
  });
});
