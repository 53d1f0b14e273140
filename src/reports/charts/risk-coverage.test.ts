import { parseHTML } from 'linkedom';
import { describe, expect, it } from 'vitest';
import type { Figures } from '../../metrics/figures.ts';
import { riskCoverageChart } from './risk-coverage.ts';

const { document } = parseHTML('<!doctype html><html></html>');
const curve: Figures['riskCoverage'] = {
  points: [
    { threshold: 0.9, coverage: 0.4, selective_risk: 0.1, generalized_risk: 0.04 },
    { threshold: 0.6, coverage: 0.75, selective_risk: 0.2, generalized_risk: 0.15 },
  ],
  random: 0.2,
  oracle: [
    { coverage: 0.6, selective_risk: 0 },
    { coverage: 0.75, selective_risk: 0.2 },
  ],
  nUsable: 75,
  emergencies: { n: 0, unanswered: 0 },
};
const textsOf = (svg: string) =>
  [...parseHTML(`<html><body>${svg}</body></html>`).document.querySelectorAll('text')].map(
    ({ textContent }) => textContent,
  );

describe('riskCoverageChart', () => {
  it('shows one curve between its controls, and where no answer can be accepted', () => {
    const svg = riskCoverageChart([{ name: 'a', figures: { riskCoverage: curve } }], document);
    expect(textsOf(svg)).toEqual(
      expect.arrayContaining([
        'a',
        'control: answers accepted at random',
        'control: the best order these errors allow',
        'no answer: 25.0\u00a0%',
      ]),
    );
    expect(svg).toContain(
      '<desc>a: share wrong 0.100 at coverage 0.400, 0.200 at coverage 0.750; coverage cannot exceed 0.750. Accepting at random: 0.200 throughout. In the best order there would be no error up to coverage 0.600.</desc>',
    );
  });

  it('leaves controls out where several curves are drawn', () => {
    const svg = riskCoverageChart(
      ['one', 'two'].map((name) => ({ name, figures: { riskCoverage: curve } })),
      document,
    );
    expect(textsOf(svg)).toEqual(expect.arrayContaining(['one', 'two']));
    expect(textsOf(svg).join()).not.toContain('control');
  });

  it('marks no ground when all can be accepted, and needs no points', () => {
    const all = { ...curve, points: [{ ...curve.points[1]!, coverage: 1 }] };
    expect(
      textsOf(riskCoverageChart([{ name: 'a', figures: { riskCoverage: all } }], document)).join(),
    ).not.toContain('no answer');
    const none = { points: [], random: null, oracle: [], nUsable: 0, emergencies: { n: 0, unanswered: 0 } };
    const svg = riskCoverageChart([{ name: 'a', figures: { riskCoverage: none } }], document);
    expect(svg).toContain('<desc>a: no answer has a usable confidence.</desc>');
    expect(svg).not.toContain('NaN');
  });

  it('names emergencies that no answer covers', () => {
    const silent = { ...curve, emergencies: { n: 48, unanswered: 24 } };
    const svg = riskCoverageChart([{ name: 'a', figures: { riskCoverage: silent } }], document);
    expect(textsOf(svg).join()).toContain(', 24 of 48 emergencies');
    expect(svg).toContain('Without an answer to accept: 24 of 48 emergencies.');
  });

  it('draws no point that rests on fewer than 20 answers', () => {
    const points = Array.from({ length: 40 }, (_, i) => ({ ...curve.points[0]!, coverage: (i + 1) / 40 }));
    const draw = (nUsable: number) =>
      riskCoverageChart([{ name: 'a', figures: { riskCoverage: { ...curve, points, nUsable } } }], document);
    const said = [...draw(40).matchAll(/of (\d+) answers, coverage/g)].map(([, n]) => Number(n));
    expect([Math.min(...said), Math.max(...said)]).toEqual([20, 40]);
    expect(draw(19)).toContain('<desc>a: 19 answers have a usable confidence; a curve is drawn from 20.');
    expect(draw(19)).not.toContain('answers, coverage');
  });

  it('says value and n of a point to who points at it', () => {
    const svg = riskCoverageChart([{ name: 'a', figures: { riskCoverage: curve } }], document);
    expect(svg).toContain(
      '<title>a: Accepting from confidence 0.90: share wrong 0.100 of 40 answers, coverage 0.400</title>',
    );
  });

  it('draws a thousand points as a line, not as dots', () => {
    const points = Array.from({ length: 1000 }, (_, i) => ({
      ...curve.points[0]!,
      coverage: (i + 1) / 1000,
    }));
    const svg = riskCoverageChart([{ name: 'a', figures: { riskCoverage: { ...curve, points } } }], document);
    expect(svg.length).toBeLessThan(30_000);
  });
});
