import { parseHTML } from 'linkedom';
import { describe, expect, it } from 'vitest';
import { historyChart } from './history-chart.ts';

const { document } = parseHTML('<!doctype html><html></html>');
const point = (day: number, value: number | null) => ({
  date: `2026-03-0${day}`,
  value,
  lower: value === null ? null : value - 0.05,
  upper: value === null ? null : value + 0.05,
  n: 200,
});

describe('historyChart', () => {
  it('has a point with its interval for each run that has a value, and all of them in words', () => {
    const points = [point(1, 0.8), point(2, null), { ...point(3, 0.7), isAlarm: true }];
    const limits = [{ name: 'lower limit', value: 0.72 }];
    const svg = historyChart({ title: 'Accuracy', points, limits }, document);
    expect(svg).toContain(
      '<desc>2026-03-01: 0.800 (0.750 to 0.850), n = 200; 2026-03-02: no value, n = 200; 2026-03-03: 0.700 (0.650 to 0.750), n = 200, alarm. lower limit: 0.720.</desc>',
    );
    expect(svg.match(/<circle/g)).toHaveLength(1);
    expect(svg).toContain('lower limit</text>');
    expect(svg).not.toMatch(/NaN|null/);
  });

  it.each([[[]], [[point(1, 0.5)]], [[point(1, null)]]])('draws few runs: %j', (points) => {
    expect(historyChart({ title: 'Accuracy', points }, document)).not.toMatch(/NaN|Infinity/);
  });

  it('links each run', () => {
    const points = [0.8, 0.9].map((value, place) => ({
      ...point(place + 1, value),
      link: { href: `#/runs/${place}`, label: 'Open the run' },
    }));
    const svg = historyChart({ title: 'Accuracy', points }, document);
    expect([...svg.matchAll(/href="([^"]+)"/g)].map(([, href]) => href)).toEqual(['#/runs/0', '#/runs/1']);
  });
});
